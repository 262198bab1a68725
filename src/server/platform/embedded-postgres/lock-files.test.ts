import { spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { spread } from '#server/testing/nightly.ts'
import { makeBench, query, waitFor } from './testing/testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const bench = makeBench()
afterAll(() => bench.clear())

/** PostgreSQL takes a process of its own account, alive or a zombie, for its predecessor. */
async function serverIdentity(dataDir: string): Promise<{ uid?: number; gid?: number }> {
  const { uid, gid } = await stat(join(dataDir, 'postgres', 'data'))
  return process.getuid?.() === 0 ? { uid, gid } : {}
}

describe.concurrent('a lock file that lies', () => {
  const shared = '\n/anywhere\n1700000000\n5432\n/nowhere\n\n  12345678   99999\nready\n'

  async function startWithPidFile(text: (stranger: number) => string): Promise<void> {
    const dataDir = await bench.makeDataDir()
    await (await bench.start(dataDir)).stop()
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore', ...(await serverIdentity(dataDir)) })
    try {
      const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid')
      await writeFile(pidFile, text(stranger.pid!), { mode: 0o644 })
      await writeFile(join(dataDir, 'postgres', 'run', '.s.PGSQL.5432.lock'), `${stranger.pid}\n`)
      const server = await bench.start(dataDir)
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.stop()
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
    } finally {
      stranger.kill('SIGKILL')
    }
  }

  const lies: [what: string, text: (stranger: number) => string][] = [
    [
      'names a living stranger: the server starts and the stranger lives',
      (stranger) => `${stranger}${shared}`,
    ],
    ['names process 1', () => `1${shared}`],
    ['is garbage that keeps the line of the shared memory', () => `garbage${shared}`],
    ['is garbage', () => 'not a number\nat all'],
    ['is empty', () => ''],
  ]
  test.concurrent.each(spread(lies, 2))('PostgreSQL starts although its lock file %s', (_what, text) =>
    startWithPidFile(text),
  )

  test.runIf(process.platform === 'linux')('names a zombie of our own account', async () => {
    // The inner sleep ends soon, and the outer one, which replaces the shell, never collects it.
    const dataDir = await bench.makeDataDir()
    await (await bench.start(dataDir)).stop()
    const outer = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 300'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(await serverIdentity(dataDir)),
    })
    try {
      const zombie = Number(await new Promise((resolve) => outer.stdout.once('data', resolve)))
      await waitFor(async () =>
        (await readFile(`/proc/${zombie}/stat`, 'utf8')).includes(') Z ') ? true : undefined,
      )
      await startWithPidFile(() => `${zombie}${shared}`)
    } finally {
      outer.kill('SIGKILL')
    }
  })
})

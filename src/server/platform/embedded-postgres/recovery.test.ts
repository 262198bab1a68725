import { execFile, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { testAtNight, spread } from '#server/testing/nightly.ts'
import { makeBench, query, serverPid, waitFor } from './testing/testing.ts'

const bench = makeBench()

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const execute = promisify(execFile)
afterAll(() => bench.clear())

// Faults are tested with the durability of production.
const real = { durable: true }

describe.concurrent('after a kill -9', () => {
  test.concurrent.each([
    ['the program, the next start goes on with the living server', false],
    ['program and server, the next start recovers what was committed', true],
  ])('after a kill -9 of %s', async (_what, isServerKilled) => {
    const dataDir = await bench.makeDataDir()
    const program = bench.startProgram(dataDir, real)
    const { connection } = await program.next('started')
    await query(connection!, 'create table kept as select 42 as answer')
    const pid = await serverPid(dataDir)
    await program.kill('SIGKILL')
    if (isServerKilled) process.kill(pid, 'SIGKILL')
    const server = await bench.start(dataDir, real)
    if (!isServerKilled) expect(await serverPid(dataDir)).toBe(pid)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.stop()
  })

  testAtNight('after a kill -9 of the program a statement of its that holds a lock is ended', async () => {
    const dataDir = await bench.makeDataDir()
    const program = bench.startProgram(dataDir, real)
    const { connection } = await program.next('started')
    await query(connection!, 'create table held (id int)')
    const left = new pg.Client(connection!)
    left.on('error', () => undefined)
    await left.connect()
    await left.query('begin; lock table held')
    await program.kill('SIGKILL')
    const server = await bench.start(dataDir, real)
    await query(server.connection, `alter role current_user set lock_timeout = '100ms'`)
    expect(await query(server.connection, 'insert into held values (1) returning id')).toEqual([{ id: 1 }])
    await server.stop()
  })

  testAtNight(
    'after a kill -9 of a program without fsync a durable start does not take over its server',
    async () => {
      const dataDir = await bench.makeDataDir()
      const program = bench.startProgram(dataDir, { durable: false })
      await program.next('started')
      await program.kill('SIGKILL')
      const server = await bench.start(dataDir, real)
      expect(await query(server.connection, 'show fsync')).toEqual([{ fsync: 'on' }])
      await server.stop()
    },
  )

  test('after a kill -9 of the server its program starts it again and keeps the lock', async () => {
    const dataDir = await bench.makeDataDir()
    const logs: string[] = []
    const server = await bench.start(dataDir, { ...real, log: (line) => logs.push(line.msg) })
    const pid = await serverPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await waitFor(async () => logs.find((line) => line.includes('was taken again')))
    expect(await serverPid(dataDir)).not.toBe(pid)
    expect((await bench.startProgram(dataDir, real).next('started', 'error')).reason).toBe('in_use')
    await server.stop()
    await expect(serverPid(dataDir)).rejects.toThrow('no server')
  })

  testAtNight('after a kill -9 of one session (out of memory) the lock is taken again', async () => {
    const dataDir = await bench.makeDataDir()
    const logs: string[] = []
    const server = await bench.start(dataDir, { ...real, log: (line) => logs.push(line.msg) })
    const victim = new pg.Client(server.connection)
    victim.on('error', () => undefined)
    await victim.connect()
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGKILL')
    await waitFor(async () => logs.find((line) => line.includes('was taken again')))
    expect((await bench.startProgram(dataDir, real).next('started', 'error')).reason).toBe('in_use')
    await server.stop()
  })
})

testAtNight('a program that lost its lock is notified, and does not stop the server', async () => {
  const dataDir = await bench.makeDataDir()
  const first = bench.startProgram(dataDir)
  const { superuser } = await first.next('started')
  // Suspended, as on a machine that swaps: it cannot defend its lock.
  process.kill(first.pid, 'SIGSTOP')
  await query(
    { ...superuser!, database: 'postgres' },
    `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'`,
  )
  const second = await bench.start(dataDir)
  process.kill(first.pid, 'SIGCONT')
  expect((await first.next('lost')).reason).toContain(`processo ${process.pid},`)
  await first.stop()
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await second.stop()
})

testAtNight('the remains of a killed first start are removed, but not a living program’s', async () => {
  const dataDir = await bench.makeDataDir()
  const program = bench.startProgram(dataDir)
  const home = join(dataDir, 'postgres')
  const names = (): Promise<string[]> => readdir(home).catch(() => [])
  const remains = await waitFor(async () => (await names()).find((name) => name.startsWith('init-')))
  await program.kill('SIGKILL')
  const ofLiving = `init-${process.ppid}-0123456789ab`
  await mkdir(join(home, ofLiving))
  const server = await bench.start(dataDir)
  // The orphaned initdb may continue to write for a moment; then the next start removes its folder.
  await server.stop()
  await waitFor(async () => {
    await (await bench.start(dataDir)).stop()
    return (await names()).includes(remains) ? undefined : true
  })
  expect(await names()).toEqual(['data', ofLiving, 'postgres.log', 'run'])
})

testAtNight(
  'a first start that was killed at any moment, with initdb or without, is begun anew',
  async () => {
    for (const afterMs of [20, 150, 400, 900]) {
      const dataDir = await bench.makeDataDir()
      const program = bench.startProgram(dataDir, real)
      await program.next('running')
      await sleep(afterMs)
      if (afterMs > 100) await execute('pkill', ['-9', '-P', String(program.pid)]).catch(() => undefined)
      await program.kill('SIGKILL')
      const server = await bench.start(dataDir, real)
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.stop()
    }
  },
)

test.concurrent('a server that cannot start is one line with the place of its log', async () => {
  const dataDir = await bench.makeDataDir()
  await (await bench.start(dataDir)).stop()
  await writeFile(join(dataDir, 'postgres', 'data', 'postgresql.conf'), 'nonsense = (')
  const logFile = join(dataDir, 'postgres', 'postgres.log')
  await expect(bench.start(dataDir)).rejects.toThrow(`o motivo está em ${logFile}`)
  expect(await readFile(logFile, 'utf8')).toContain('syntax error in file')
})

testAtNight(
  'a log past 10 MB is begun anew and kept once, in place of a link and not through it',
  async () => {
    const dataDir = await bench.makeDataDir()
    const logFile = join(dataDir, 'postgres', 'postgres.log')
    await (await bench.start(dataDir)).stop()
    const victim = join(dataDir, 'of-somebody-else')
    await writeFile(victim, 'untouched')
    await writeFile(logFile, 'x'.repeat(11 * 1024 * 1024))
    await symlink(victim, `${logFile}.1`)
    await (await bench.start(dataDir)).stop()
    expect(await readFile(victim, 'utf8')).toBe('untouched')
    expect(await readFile(`${logFile}.1`, 'utf8')).toHaveLength(11 * 1024 * 1024)
    expect((await readFile(logFile, 'utf8')).length).toBeLessThan(100_000)
  },
)

testAtNight('a stop ends sessions that linger and a statement that would take a minute', async () => {
  const dataDir = await bench.makeDataDir()
  const server = await bench.start(dataDir, real)
  const lingering = new pg.Client(server.connection)
  lingering.on('error', () => undefined)
  await lingering.connect()
  await lingering.query('begin; create table half (id int)')
  const long = query(server.connection, 'select pg_sleep(60)').catch((error: unknown) => error)
  await waitFor(async () => {
    const rows = await query(
      server.superuser,
      `select 1 from pg_stat_activity where query like '%sleep(60)%'`,
    )
    return rows.length > 1 ? true : undefined
  })
  await server.stop()
  expect(await long).toMatchObject({ code: '57P01' })
  await expect(serverPid(dataDir)).rejects.toThrow('no server')
})

test('a database of another major version is refused and left untouched', async () => {
  const dataDir = await bench.makeDataDir()
  const dataFolder = join(dataDir, 'postgres', 'data')
  await mkdir(dataFolder, { recursive: true })
  await writeFile(join(dataFolder, 'PG_VERSION'), '17\n')
  await expect(bench.start(dataDir)).rejects.toThrow(
    /feito pelo PostgreSQL 17 .* usa o 18; nada foi alterado/,
  )
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['data'])
  expect(await readdir(dataFolder)).toEqual(['PG_VERSION'])
  expect(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).toBe('17\n')
})

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

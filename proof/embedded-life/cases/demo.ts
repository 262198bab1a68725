import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { query, serverPid } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, eventually, type CaseEnvironment, real, spread, timed } from '../case.ts'
import { processRow, serversBelow } from '../../support/processes.ts'

const main = join(import.meta.dirname, '..', '..', '..', 'src', 'server', 'main.ts')
const patienceMs = 180_000

/** The whole program as a demonstration, on a free port. */
class Demo {
  readonly child: ChildProcess
  readonly ended: Promise<number | NodeJS.Signals | null>
  output = ''

  constructor(at: CaseEnvironment, dataDir: string, onTerminal = false) {
    const { DATABASE_URL: _left, ...inherited } = process.env
    const env = {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      NODE: process.execPath,
      MAIN: main,
    }
    this.child = onTerminal
      ? spawn('/usr/bin/script', ['-qefc', 'exec "$NODE" "$MAIN" --demo', '/dev/null'], { env })
      : spawn(process.execPath, [main, '--demo'], { env })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve(code ?? signal)))
    at.onClear(() => this.child.kill('SIGKILL') && this.ended)
  }

  /** @returns its address, as soon as `/readyz` answers */
  ready(): Promise<string> {
    return eventually(
      '/readyz',
      async () => {
        assert.ok(this.child.exitCode === null, `it ended: ${this.output}`)
        const address = /Balcão: (http:\S+)/.exec(this.output)?.[1]
        if (!address) return undefined
        const answer = await fetch(`${address}/readyz`).catch(() => undefined)
        return answer?.ok ? address : undefined
      },
      patienceMs,
    )
  }

  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.child.kill(signal)
    return this.ended
  }
}

async function makeDemoDir(at: CaseEnvironment): Promise<{ dataDir: string; inside: string }> {
  const dataDir = await at.makeDataDir()
  const inside = join(dataDir, 'demo')
  await mkdir(inside)
  at.alsoStop(join(inside, 'postgres'))
  return { dataDir, inside }
}

/** A separate database session. */
async function beside(at: CaseEnvironment, inside: string) {
  const { superuser } = await at.start(inside, { ...real, attachOnly: true })
  return superuser
}

async function stopsWhileStarting(at: CaseEnvironment): Promise<string> {
  const measured = new Demo(at, (await makeDemoDir(at)).dataDir)
  const { ms: wholeMs } = await timed(() => measured.ready())
  assert.equal(await measured.end('SIGTERM'), 0, measured.output)
  const codes: unknown[] = []
  const figures: number[] = []
  for (let n = 0; n < 10; n += 1) {
    const { dataDir, inside } = await makeDemoDir(at)
    const demo = new Demo(at, dataDir)
    await sleep((wholeMs * n) / 10)
    const { ms, value } = await timed(() => demo.end('SIGTERM'))
    // While Node itself loads there is no signal handler yet, and nothing may have been started either.
    if (value === 'SIGTERM') assert.deepEqual(await readdir(inside), [], `point ${n}`)
    else assert.equal(value, 0, `point ${n}: ${demo.output}`)
    assert.deepEqual(await serversBelow(inside), [], `a server at point ${n}`)
    codes.push(value)
    figures.push(ms)
  }
  return `whole start ${wholeMs} ms, codes ${codes.join(' ')}, ${spread(figures)}`
}

/** Ctrl+C in a terminal reaches every process of its session, which the server must not belong to. */
async function interruptedInTerminal(at: CaseEnvironment, times: number): Promise<string> {
  const { dataDir, inside } = await makeDemoDir(at)
  const demo = new Demo(at, dataDir, true)
  await demo.ready()
  await query(await beside(at, inside), 'create table kept as select 42 as answer')
  const pid = await serverPid(inside)
  assert.equal((await processRow(pid))?.session, pid)
  const { ms, value } = await timed(async () => {
    for (let n = 0; n < times; n += 1) demo.child.stdin?.write('\u0003')
    return demo.ended
  })
  // A second one changes nothing.
  assert.equal(value, 0, demo.output)
  assert.deepEqual(await serversBelow(inside), [])
  const next = new Demo(at, dataDir)
  await next.ready()
  assert.deepEqual(await query(await beside(at, inside), 'select answer from kept'), [{ answer: 42 }])
  assert.equal(await next.end('SIGTERM'), 0, next.output)
  assert.deepEqual(await serversBelow(inside), [])
  return `code 0, ${ms} ms, server stopped`
}

export const demoCases: Case[] = [
  { name: 'program: SIGTERM at 10 points of the first start', run: stopsWhileStarting },
  { name: 'program: Ctrl+C in the terminal', run: (at: CaseEnvironment) => interruptedInTerminal(at, 1) },
  {
    name: 'program: Ctrl+C twice in the terminal',
    run: (at: CaseEnvironment) => interruptedInTerminal(at, 2),
  },
]

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { query, serverPid } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, eventually, type CaseEnvironment, real, refusal, spread } from '../case.ts'
import { killIfThere, killTree } from '../../support/processes.ts'

const writers = 8

/** The program in `writer.ts`, and its output. */
class Writer {
  readonly run: string
  readonly child: ChildProcess
  /** The last number acknowledged to each writer. */
  readonly acknowledged = Array.from({ length: writers }, () => 0)
  readonly logs: string[] = []
  startMs: number | undefined
  readonly ended: Promise<unknown>

  constructor(dataDir: string, run: string) {
    this.run = run
    const options = JSON.stringify({ dataDir, run, writers })
    this.child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('../writer.ts')), options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const closed = new Promise((resolve) => this.child.once('close', resolve))
    this.ended = closed
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.#readLine(line))
  }

  get total(): number {
    return this.acknowledged.reduce((sum, each) => sum + each, 0)
  }

  started(): Promise<number> {
    return eventually('the writer', () => {
      if (this.child.exitCode !== null) throw new Error(`the writer ended: ${this.logs.join('; ')}`)
      return Promise.resolve(this.startMs)
    })
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
  }

  async stop(): Promise<void> {
    this.child.stdin?.write('fim\n')
    await this.ended
  }

  #readLine(line: string): void {
    const [word, first, second] = line.split(' ')
    if (word === 'ack') this.acknowledged[Number(first)] = Number(second)
    else if (word === 'started') this.startMs = Number(first)
    else this.logs.push(line)
  }
}

type Kill = (writer: Writer, server: number, at: CaseEnvironment) => Promise<void>

const programOnly: Kill = (writer) => writer.kill()

const programAndServer: Kill = async (writer, server) => {
  const gone = writer.kill()
  await killTree(server)
  await gone
}

const postmasterThenProgram: Kill = async (writer, server) => {
  killIfThere(server)
  await sleep(20)
  await writer.kill()
}

async function killRounds(at: CaseEnvironment, kill: Kill): Promise<string> {
  const dataDir = await at.makeDataDir()
  const done: Writer[] = []
  for (let round = 0; round < at.rounds; round += 1) {
    const writer = new Writer(dataDir, `r${round}`)
    at.onClear(() => writer.child.kill('SIGKILL'))
    await writer.started()
    await sleep(50 + at.random() * 400)
    await kill(writer, await serverPid(dataDir), at)
    done.push(writer)
  }
  const server = await at.start(dataDir, real)
  const lost = await countLost(server, done)
  const indexes = await checkIndexes(server)
  await server.stop()
  const acknowledged = done.reduce((sum, each) => sum + each.total, 0)
  assert.ok(acknowledged > 0, 'nothing was acknowledged')
  assert.equal(lost, 0, `${lost} of ${acknowledged} acknowledged were lost`)
  // The first start created the database.
  const starts = done.slice(1).map((writer) => writer.startMs ?? 0)
  const counts = `${done.length} rounds, ${acknowledged} acknowledged, 0 lost, ${indexes} indexes`
  return `${counts}, start() ${spread(starts)}`
}

async function countLost(server: EmbeddedPostgres, done: Writer[]): Promise<number> {
  let lost = 0
  for (const { run, acknowledged } of done)
    for (const [writer, last] of acknowledged.entries()) {
      const [row] = await query(
        server.connection,
        `select count(*)::int as there from writes
          where run = '${run}' and writer = ${writer} and n <= ${last}`,
      )
      lost += last - Number(row?.['there'])
    }
  return lost
}

/** Checks that every index contains every row of its table, and that the tables are intact. */
async function checkIndexes(server: EmbeddedPostgres): Promise<number> {
  await query(server.superuser, 'create extension if not exists amcheck')
  const checked = await query(
    server.superuser,
    `select bt_index_parent_check(c.oid, true, true) from pg_class c join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'`,
  )
  const faults = await query(server.superuser, `select * from verify_heapam('writes')`)
  assert.deepEqual(faults, [])
  return checked.length
}

/**
 * A backend is killed (out of memory): all sessions end, the server restarts itself, the program continues.
 */
async function killBackends(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const writer = new Writer(dataDir, 'b')
  at.onClear(() => writer.child.kill('SIGKILL'))
  await writer.started()
  const attached = await at.start(dataDir, { ...real, attachOnly: true })
  const postmaster = await serverPid(dataDir)
  const figures: number[] = []
  for (let round = 0; round < at.rounds; round += 1) {
    const isLockSession = round % 2 === 1
    const [victim] = await query(
      attached.superuser,
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
        and ${isLockSession ? `datname = 'postgres'` : `query like 'insert%'`} limit 1`,
    )
    const taken = () => writer.logs.filter((line) => line.includes('foi retomado')).length
    const takenBefore = taken()
    const start = performance.now()
    killIfThere(Number(victim?.['pid']))
    await eventually('the lock taken again', () => Promise.resolve(taken() > takenBefore || undefined))
    const before = writer.total
    await eventually('a write', () => Promise.resolve(writer.total > before || undefined))
    figures.push(Math.round(performance.now() - start))
    assert.match(
      await refusal(at.start(dataDir, real)),
      new RegExp(`escritor, processo ${writer.child.pid},`),
    )
  }
  assert.equal(await serverPid(dataDir), postmaster, 'another server runs')
  const lost = await countLost(attached, [writer])
  assert.equal(lost, 0)
  await writer.stop()
  const counts = `${figures.length} rounds, ${writer.total} acknowledged, 0 lost`
  return `${counts}, writes again after ${spread(figures)}`
}

/** The postmaster is killed under a running program: the program restarts it and continues. */
async function killPostmaster(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const writer = new Writer(dataDir, 'p')
  at.onClear(() => writer.child.kill('SIGKILL'))
  await writer.started()
  const figures: number[] = []
  for (let round = 0; round < at.rounds; round += 1) {
    const old = await serverPid(dataDir)
    const start = performance.now()
    killIfThere(old)
    await eventually('another server', async () => {
      const pid = await serverPid(dataDir).catch(() => old)
      return pid !== old || undefined
    })
    const before = writer.total
    await eventually('a write', () => Promise.resolve(writer.total > before || undefined))
    figures.push(Math.round(performance.now() - start))
  }
  await writer.stop()
  const server = await at.start(dataDir, real)
  const lost = await countLost(server, [writer])
  await server.stop()
  assert.equal(lost, 0)
  const counts = `${figures.length} rounds, ${writer.total} acknowledged, 0 lost`
  return `${counts}, writes again after ${spread(figures)}`
}

export const killCases: Case[] = [
  { name: 'kill -9: the program, while it writes', run: (at) => killRounds(at, programOnly) },
  { name: 'kill -9: the program and the whole server', run: (at) => killRounds(at, programAndServer) },
  {
    name: 'kill -9: the postmaster, and the program 20 ms later',
    run: (at) => killRounds(at, postmasterThenProgram),
  },
  { name: 'kill -9: the postmaster, the program goes on', run: killPostmaster },
  { name: 'kill -9: a session, and the one that holds the folder', run: killBackends },
]

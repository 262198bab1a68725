import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { serverPid } from '#server/platform/embedded-postgres/testing/testing.ts'
import { stopServer } from '#server/platform/embedded-postgres/stop.ts'
import { createLog } from '#server/platform/log.ts'
import { type OwnServer, startOwnServer } from '#server/testing/servers/own-server.ts'
import { killIfThere, killTree } from './kill.ts'
import { Program } from '../support/program.ts'
import type { Cycle, CycleKind, Engine } from './plan.ts'
import { startWire, type Wire } from './wire.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

/** The programs, their database on this machine's disk, and the address that both share. */
export interface Environment {
  /** `'PostgreSQL 15.18'` */
  server: string
  programs: Program[]
  /** The shared address, which leads to a running program as a load balancer does. */
  url: string
  /** A connection of the proof, which no cycle cuts. */
  database: Database
  /** A connection as superuser to the same database. */
  asSuperuser(statement: string): Promise<Record<string, unknown>[]>
  /**
   * Causes a fault from outside.
   * @returns when the fault was over, by performance.now()
   */
  strike(cycle: Cycle, program: Program): Promise<number>
  /** Whether the database was unreachable for all programs at some time since then. */
  wasAway(since: number): boolean
  /** Stops everything without removing the data. */
  close(): Promise<void>
}

export const firstAdmin = { username: 'chefe', password: 'senha-do-chefe-1' }

const log = createLog('silent')

function settingsOf(folder: string, name: string, more: Record<string, string> = {}) {
  const dataDir = join(folder, name)
  // Started by root, the database runs under another account, which needs access to this folder.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
    ADMIN_USERNAME: firstAdmin.username,
    ADMIN_PASSWORD: firstAdmin.password,
    LOG_LEVEL: 'warn',
    ...more,
  }
  return { args: [], env, logFile: join(folder, `${name}.log`) }
}

/** One address for all programs; new connections are distributed among the running ones. */
async function startFront(programs: Program[]) {
  let turn = 0
  return startWire(() => {
    const living = programs.filter((program) => program.isRunning)
    return living[turn++ % living.length]?.port
  })
}

async function query(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

type Strikes = Partial<Record<CycleKind, Environment['strike']>>

const strikeWith =
  (strikes: Strikes): Environment['strike'] =>
  async (cycle, program) => {
    const strike = strikes[cycle.kind]
    if (!strike) throw new Error(`${cycle.kind}: not with this engine`)
    return strike(cycle, program)
  }

async function killProgram(_: Cycle, program: Program): Promise<number> {
  await program.kill()
  return performance.now()
}

/** The process id of the folder's server, or of its successor after `before`. */
async function livingServer(dataDir: string, before?: number): Promise<number> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const pid = await serverPid(dataDir).catch(() => undefined)
    if (pid !== undefined && pid !== before) return pid
    if (performance.now() > deadline) throw new Error('the database server did not come back within a minute')
    await sleep(10)
  }
}

type Ending = () => Promise<unknown>

async function startEmbedded(folder: string, endings: Ending[]): Promise<Omit<Environment, 'close'>> {
  const settings = settingsOf(folder, 'dados')
  const dataDir = settings.env.DATA_DIR
  const program = await Program.start(settings)
  endings.push(() => program.stop())
  const embedded = await startEmbeddedPostgres({ dataDir, attachOnly: true })
  // The server survives a program that was killed.
  endings.unshift(() => stopServer(join(embedded.home, 'data')))
  const database = openDatabase({ connection: embedded.connection, log, poolSize: 3 })
  endings.push(() => database.close())
  await resetSettings(database)
  const front = await startFront([program])
  endings.push(() => front.close())
  return {
    server: `PostgreSQL ${embedded.version}, embedded`,
    programs: [program],
    url: `http://127.0.0.1:${front.port}`,
    database,
    asSuperuser: (statement) => query(embedded.superuser, statement),
    strike: strikeWith({
      program: killProgram,
      postmaster: async () => {
        const pid = await livingServer(dataDir)
        const struckAt = performance.now()
        killIfThere(pid)
        await livingServer(dataDir, pid)
        return struckAt
      },
      'program and server': async () => {
        const pid = await livingServer(dataDir)
        await Promise.all([program.kill(), killTree(pid)])
        return performance.now()
      },
    }),
    wasAway: () => false,
  }
}

const systemBin = '/usr/lib/postgresql/15/bin'
/** The settings of a server in production: commits reach the disk. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

async function startPostgres(folder: string, endings: Ending[]): Promise<Omit<Environment, 'close'>> {
  const bin = existsSync(join(systemBin, 'postgres')) ? { bin: systemBin } : {}
  const server = await startOwnServer({ ...bin, under: folder, settings: durable })
  endings.push(() => server.stop())
  await server.query('create role balcao login')
  await server.query('create database balcao owner balcao')
  const [version] = await server.query<{ v: string }>(`select current_setting('server_version') as v`)
  const line = await startWire(() => server.port)
  endings.push(() => line.close())
  const shared = {
    DATABASE_URL: `postgres://balcao@127.0.0.1:${line.port}/balcao`,
    SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  const programs: Program[] = []
  // Several programs share one file store: here a folder instead of a bucket.
  mkdirSync(join(folder, 'uploads'), { recursive: true })
  for (const name of ['a', 'b']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o711 })
    symlinkSync(join(folder, 'uploads'), join(folder, name, 'uploads'))
    const program = await Program.start(settingsOf(folder, name, shared))
    programs.push(program)
    endings.push(() => program.stop())
  }
  const connection = { connectionString: server.url('balcao', 'balcao') }
  const database = openDatabase({ connection, log, poolSize: 3 })
  endings.push(() => database.close())
  await resetSettings(database)
  const front = await startFront(programs)
  endings.push(() => front.close())
  return {
    server: `PostgreSQL ${version?.v}, two programs`,
    programs,
    url: `http://127.0.0.1:${front.port}`,
    database,
    asSuperuser: (statement) => server.query(statement, 'balcao'),
    ...sharedStrikes(databaseStrikes(server, line)),
  }
}

/** Faults of the shared database must not overlap. */
function sharedStrikes(strikes: Strikes): Pick<Environment, 'strike' | 'wasAway'> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let backAt = -Infinity
  const strikeDatabase = strikeWith(strikes)
  const inTurn: Environment['strike'] = async (cycle, program) => {
    waiting++
    const mine = last.then(() => strikeDatabase(cycle, program))
    last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      waiting--
      backAt = performance.now()
    }
  }
  return {
    strike: (cycle, program) =>
      cycle.kind === 'program' ? killProgram(cycle, program) : inTurn(cycle, program),
    wasAway: (since) => waiting > 0 || backAt >= since,
  }
}

function databaseStrikes(server: OwnServer, line: Wire): Strikes {
  const mendAfter = async (ms: number) => {
    await sleep(ms)
    line.mend()
    return performance.now()
  }
  return {
    cut: ({ downMs }) => {
      line.cut()
      return mendAfter(downMs)
    },
    'cut after bytes': async ({ bytes, downMs }) => {
      await line.cutAfter(bytes)
      return mendAfter(downMs)
    },
    server: async () => {
      await server.stop('immediate')
      const struckAt = performance.now()
      await server.start()
      return struckAt
    },
  }
}

/**
 * @param folder an empty folder on the disk
 * @throws Error if the programs do not start, after stopping everything
 */
export async function startEnvironment(engine: Engine, folder: string): Promise<Environment> {
  const endings: Ending[] = []
  let closing: Promise<void> | undefined
  const endAll = async () => {
    for (const end of endings.toReversed()) await end()
  }
  const close = () => (closing ??= endAll())
  try {
    const environment = await (engine === 'embedded' ? startEmbedded : startPostgres)(folder, endings)
    return { ...environment, close }
  } catch (error) {
    await close()
    throw error
  }
}

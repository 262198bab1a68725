import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedConnection,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#server/platform/embedded-postgres.ts'
import { readPidFile } from '../lock/pid-file.ts'
import type { ProgramCopy } from './program-copy.ts'
import { isServerOf } from '../lock/process-table.ts'
import { stopServer } from '../stop.ts'

/** An event of `test-program.ts`. */
interface ProgramEvent {
  event: 'running' | 'started' | 'stopped' | 'lost' | 'error'
  connection?: EmbeddedConnection
  superuser?: EmbeddedConnection
  logs?: string[]
  reason?: string
  message?: string
}

export interface Program {
  pid: number
  /** the next event of one of these kinds; fails when the program ends without it */
  next(...kinds: ProgramEvent['event'][]): Promise<ProgramEvent>
  stop(): Promise<void>
  /** the exit code, or the name of the signal */
  readonly ended: Promise<number | NodeJS.Signals | null>
  signal(signal: NodeJS.Signals): void
  /** sends the signal and waits for the end */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** The folders, programs and servers of one test; `clear` ends and removes them all. */
export function makeBench() {
  const folders: string[] = []
  const homes: string[] = []
  const children: ChildProcess[] = []

  /**
   * A data folder that the server's account can enter; mkdtemp creates it with mode 0700, and we may be root.
   */
  const makeDataDir = async (subfolder = 'd', ownerUid?: number): Promise<string> => {
    const parent = await mkdtemp(join(tmpdir(), 'balcao-pg-'))
    folders.push(parent)
    await chmod(parent, 0o755)
    const dataDir = join(parent, subfolder)
    await mkdir(dataDir, { recursive: true })
    if (ownerUid !== undefined) await chown(dataDir, ownerUid, ownerUid)
    homes.push(join(dataDir, 'postgres'))
    return dataDir
  }

  const start = (
    dataDir: string,
    options: Partial<EmbeddedPostgresOptions> = {},
  ): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ durable: false, ...options, dataDir })

  const startProgram = (
    dataDir: string,
    options: Partial<EmbeddedPostgresOptions> = {},
    as: { uid?: number; copy?: ProgramCopy } = {},
  ): Program => {
    const node = as.copy?.node ?? process.execPath
    const file = as.copy?.program ?? join(import.meta.dirname, '..', 'test-program.ts')
    const child = spawn(node, [file, JSON.stringify({ durable: false, ...options, dataDir })], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      ...(as.uid === undefined ? {} : { uid: as.uid, gid: as.uid }),
    })
    children.push(child)
    return programOf(child)
  }

  const clear = async (): Promise<void> => {
    await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')))
    for (const home of homes.splice(0)) await stopServer(join(home, 'data'))
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  }

  return { makeDataDir, start, startProgram, clear, alsoStop: (home: string) => homes.push(home) }
}

/** Runs one query on a connection of its own. */
export async function query(connection: EmbeddedConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Repeats until there is a result; fails after 20 s. */
export async function waitFor<T>(what: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 20_000; performance.now() < end; await sleep(20)) {
    const value = await what()
    if (value !== undefined) return value
  }
  throw new Error('waited 20 s in vain')
}

/** The pid of the running server of a data folder. */
export async function serverPid(dataDir: string): Promise<number> {
  const dataFolder = join(dataDir, 'postgres', 'data')
  const pid = (await readPidFile(dataFolder))?.pid
  if (pid === undefined || !(await isServerOf(pid, dataFolder))) throw new Error(`no server in ${dataDir}`)
  return pid
}

function programOf(child: ChildProcess): Program {
  const events: ProgramEvent[] = []
  const waiters = new Set<() => void>()
  const wake = (): void => waiters.forEach((waiter) => waiter())
  let hasClosed = false
  createInterface({ input: child.stdout! })
    .on('line', (line) => {
      events.push(JSON.parse(line))
      wake()
    })
    .on('close', () => {
      hasClosed = true
      wake()
    })

  const next: Program['next'] = (...kinds) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const index = events.findIndex((event) => kinds.includes(event.event))
        if (index < 0 && !hasClosed) return
        waiters.delete(check)
        if (index < 0)
          reject(new Error(`the program ended without ${kinds.join()}: ${JSON.stringify(events)}`))
        else resolve(events.splice(index, 1)[0]!)
      }
      waiters.add(check)
      check()
    })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  )
  const stop = async (): Promise<void> => {
    child.stdin!.write('stop\n')
    await next('stopped')
    await ended
  }
  return {
    pid: child.pid!,
    next,
    stop,
    ended,
    signal: (signal) => child.kill(signal),
    kill: (signal) => end(child, signal),
  }
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

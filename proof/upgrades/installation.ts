import { createHash } from 'node:crypto'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { runCommand } from '#server/cli/run-command.ts'
import { type Database, openDatabase } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import type { OwnServer } from '#server/testing/servers/own-server.ts'
import { callOnce } from '../support/http.ts'
import { Program } from '../support/program.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { until } from '../support/waiting.ts'
import { admin } from './rows/people.ts'

/** A data folder, and the database of its installation. */
export interface Place {
  dataDir: string
  env: Record<string, string>
  /** Uses the database while no program has it. */
  with<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Uses it beside the program. */
  beside<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  remove(): void
}

const log = createLog('silent')

let made = 0

/** A database on a server of one's own. */
export async function placeOnServer(server: OwnServer): Promise<Place> {
  made += 1
  const name = `upgrade_${made}`
  await server.query(`create database ${name} owner balcao encoding 'UTF8' template template0`)
  const url = server.url('balcao', name)
  const { dataDir, remove } = makeTemporaryFolder('upgrades')
  const open: Place['with'] = async (work) => {
    const database = openDatabase({ connection: { connectionString: url }, log, poolSize: 2 })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  return {
    dataDir,
    env: { ...quiet, DATA_DIR: dataDir, DATABASE_URL: url },
    with: open,
    beside: open,
    remove,
  }
}

/** The embedded database, in a data folder; by default a temporary one. */
export function placeInFolder(
  { dataDir, remove }: Pick<Place, 'dataDir' | 'remove'> = makeTemporaryFolder('upgrades'),
): Place {
  const open =
    (attachOnly: boolean): Place['with'] =>
    async (work) => {
      const embedded = await startEmbeddedPostgres({ dataDir, attachOnly })
      const database = openDatabase({ connection: embedded.connection, log, poolSize: 2 })
      try {
        return await work(database)
      } finally {
        await database.close()
        await embedded.stop()
      }
    }
  return { dataDir, env: { ...quiet, DATA_DIR: dataDir }, with: open(false), beside: open(true), remove }
}

const quiet = { LOG_LEVEL: 'fatal', GATEWAY_ALLOWED_HOSTS: '127.0.0.1' }

/** Starts the program of today, or another one, on a place. */
export const start = ({ env }: Place, folder?: string, more: Record<string, string> = {}): Promise<Program> =>
  Program.start({ args: [], env: { ...env, ...more }, ...(folder !== undefined && { folder }) })

/** Starts the program with a failpoint at which it dies. @returns a fault when it lives on */
export async function startAndDie(place: Place, failpoints: string, folder?: string): Promise<string[]> {
  try {
    const program = await start(place, folder, { FAILPOINTS: failpoints })
    await program.kill()
    return [`${failpoints}: the program lives`]
  } catch (error) {
    const { message } = error as Error
    return message === 'the program exited with SIGKILL' ? [] : [`${failpoints}: ${message}`]
  }
}

export interface Ended {
  code: number
  said: string
}

/** Runs an administration command, as it is today. */
export async function command({ env }: Place, ...words: string[]): Promise<Ended> {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const code = await runCommand(words, {
    env,
    terminal: { print: say, warn: say, readNewPassword: () => Promise.reject(new Error('no terminal')) },
    onWork: () => undefined,
    stopRequested: () => false,
  })
  return { code, said: said.join('\n') }
}

export async function signIn({ url }: Program): Promise<string> {
  return (await ask<{ token: string }>(`${url}/api/auth/login`, { body: admin })).token
}

export const get = (url: string, token: string): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(10_000) })

/** Makes a call once: a program that serves answers it. @throws Error unless it is answered well */
async function ask<Reply>(url: string, request: { token?: string; body?: object }): Promise<Reply> {
  const { status, text } = await callOnce(url, { method: request.body ? 'POST' : 'GET', ...request })
  if (status >= 400) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as Reply
}

interface Docs {
  paths: Record<string, { get?: { parameters?: { name: string; in: string; required?: boolean }[] } }>
}

/** What calls need that cannot do without a parameter. */
const parameters: Record<string, string> = {
  startDate: '2026-01-01',
  endDate: '2026-01-31',
  dateFrom: '2026-01-01',
  dateTo: '2026-01-31',
  by: 'operator',
  groupBy: 'operator',
  format: 'csv',
  part: 'rows',
}

/** Why a call was not answered to its end; undefined when it was. */
async function faultOf(answering: Promise<Response>): Promise<string | undefined> {
  try {
    const answer = await answering
    const said = await answer.text()
    return answer.ok ? undefined : `${answer.status} ${said.slice(0, 200)}`
  } catch (error) {
    return String(error)
  }
}

/** Makes every call that reads and names nothing. @returns how many, and those that are not answered */
export async function readEverything(
  { url }: Program,
  token: string,
): Promise<{ calls: number; faults: string[] }> {
  const { paths } = await ask<Docs>(`${url}/api/docs`, { token })
  const faults: string[] = []
  let calls = 0
  for (const [path, { get: reading }] of Object.entries(paths)) {
    if (!reading || path.includes('{')) continue
    const needed = (reading.parameters ?? []).filter(
      ({ in: place, required }) => place === 'query' && required,
    )
    const query = needed.map(({ name }) => `${name}=${parameters[name] ?? ''}`).join('&')
    const fault = await faultOf(get(`${url}${path}?${query}`, token))
    calls += 1
    if (fault !== undefined) faults.push(`GET ${path}?${query}: ${fault}`)
  }
  return { calls, faults }
}

/** The bytes of a file, as the screen gets them. @returns their SHA-256 */
export async function hashOfFile({ url }: Program, token: string, name: string): Promise<string> {
  const answer = await get(`${url}/api/media/files/${name}`, token)
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

/** Waits until the workers have computed what depends on the conversations. */
export const computed = (program: Program, database: Database): Promise<unknown> =>
  until(
    'everything that is due is computed',
    async () => {
      const { rows } = await database.pool.query<{ left: number }>(
        `select (select count(*) from facts_due)::int + (select count(*) from search_due)::int
              + (select count(*) from audit_logs where position is null and repeat_key is null)::int as left`,
      )
      if (!program.isRunning) throw new Error('the program has ended')
      return rows[0]?.left
    },
    (left) => left === 0,
  )

/** Makes a backup with the running program. @returns its id, or a fault */
export async function makeBackup({ url }: Program, token: string): Promise<number | string> {
  const body = { name: 'De depois', type: 'complete' }
  const { id } = await ask<Backup>(`${url}/api/maintenance/backup`, { token, body })
  const backup = await until(
    'the backup ends',
    async () =>
      (await ask<Backup[]>(`${url}/api/maintenance/backups`, { token })).find((one) => one.id === id),
    (one) => one?.status !== 'processing',
  )
  return backup?.status === 'completed' ? id : `the backup is ${backup?.status}: ${backup?.error}`
}

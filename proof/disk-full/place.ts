import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { errorTexts } from '#shared/text/error-texts.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { adminEnv, confirmation, connectNumber, signIn } from '../support/installation.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { until } from '../support/waiting.ts'
import { startWatched, type WatchedProgram } from '../support/watched-program.ts'

/** An installation with its files and backups on a small disk, a gateway, and an administrator. */
export interface Place {
  /** Whether its database is on that disk, too. */
  hasDatabase: boolean
  disk: SmallDisk
  dataDir: string
  /** The environment of the program and of its commands. */
  env: Record<string, string>
  program: WatchedProgram
  database: Database
  /** Connects to the database as its superuser, where it is on that disk. */
  superuser: pg.ClientConfig | undefined
  simulator: Simulator
  token: string
  /** What was answered as it should not be. */
  faults: string[]
  /** How many calls were answered, by their status. */
  answers: Map<number, number>
}

export async function startPlace(
  hasDatabase: boolean,
  megabytes: number,
  defer: (close: () => unknown) => void,
): Promise<Place> {
  const disk = mountSmallDisk(megabytes, defer)
  const dataDir = join(disk.folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(!hasDatabase && { DATABASE_URL: await openServer(defer) }),
    ...adminEnv,
    LOG_LEVEL: 'error',
  }
  const program = await startWatched({ env })
  defer(() => program.stop())
  const simulator = await startSimulator({
    apiKey: 'chave-de-prova-longa',
    instanceName: 'loja1',
    retryBaseMs: 300,
  })
  defer(() => simulator.close())
  const { database, close } = await openConfiguredDatabase(
    readConfig({ ...process.env, ...env }, false),
    createLog('silent'),
    { attachOnly: true },
  )
  defer(close)
  // Asked for now, since on a full disk it would start a server that is down.
  const superuser = hasDatabase
    ? (await startEmbeddedPostgres({ dataDir, attachOnly: true })).superuser
    : undefined
  const place = {
    hasDatabase,
    disk,
    dataDir,
    env,
    program,
    database,
    superuser,
    simulator,
    token: '',
    faults: [],
    answers: new Map<number, number>(),
  }
  const { token } = await signIn(program.url)
  await connectNumber(program.url, token, simulator)
  return { ...place, token }
}

async function openServer(defer: (close: () => unknown) => void): Promise<string> {
  const server = await startOwnServer()
  defer(() => server.close())
  await server.query('create role balcao login')
  await server.query('create database balcao owner balcao')
  return server.url('balcao', 'balcao')
}

export interface Answer<Reply> {
  status: number
  /** Of a refusal: its code and its sentence. */
  body: Reply & { code?: string; message?: string }
  isOk: boolean
}

/**
 * Calls once, and judges a refusal: a full disk is reported as such, and only a database on it may be away.
 * An answer that does not come at all is a fault, and has the status 0.
 * @throws Error once the program has ended
 */
export async function ask<Reply>(
  place: Place,
  method: string,
  path: string,
  body?: FormData | object,
): Promise<Answer<Reply>> {
  const { faults, answers, program, token } = place
  const what = `${method} ${path.replaceAll(/\d+/g, 'n')}`
  const isForm = body instanceof FormData
  try {
    const answer = await fetch(`${program.url}${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const text = isJson ? bytes.toString('utf8') : '{}'
    const read = JSON.parse(text) as Answer<Reply>['body']
    if (!answer.ok && !isGoodRefusal(place, answer.status, read))
      faults.push(`${what}: ${answer.status} ${text.slice(0, 200)}`)
    return { status: answer.status, body: read, isOk: answer.ok }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    faults.push(`${what}: ${String(error)}${cause}`)
    if (program.seen.exits > 0) throw new Error('the program has ended', { cause: error })
    return { status: 0, body: {} as Answer<Reply>['body'], isOk: false }
  }
}

function isGoodRefusal(
  { hasDatabase }: Place,
  status: number,
  { code, message }: { code?: string; message?: string },
): boolean {
  // Whether it is true, `runToEnd` finds out.
  if (status === 409 && code === 'maintenance.busy') return message === errorTexts[code]
  const isFull = status === 507 && code === 'request.disk_full'
  const isAway = hasDatabase && status === 503 && code === 'request.unavailable'
  if (!isFull && !isAway) return false
  return message === errorTexts[isFull ? 'request.disk_full' : 'request.unavailable']
}

/** Repeats a call that is refused because the database is away. @throws Error after two minutes */
export async function insist<Reply>(
  place: Place,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const call = () => ask<Reply>(place, method, path, body)
  return (await until(`${method} ${path}`, call, ({ isOk }) => isOk, 120_000)).body
}

/** Gives the password again, which maintenance asks for. */
export const confirm = (place: Place) => insist(place, 'POST', '/api/auth/reauthenticate', confirmation)

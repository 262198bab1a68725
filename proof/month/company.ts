import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { MaintenancePlan } from '#shared/maintenance/maintenance-plan.ts'
import type { Role } from '#shared/permissions.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { type JobQueue, startJobQueue } from '#server/platform/jobs/job-queue.ts'
import { createLog } from '#server/platform/log.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import type { OwnServer } from '#server/testing/servers/own-server.ts'
import { createUser } from '#server/users/users.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { read } from '../support/http.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { startWatched, type WatchedProgram } from '../support/watched-program.ts'
import { gatewayClock, monthClock, type MonthClock } from './clock.ts'

export const password = 'senha-de-prova-longa'
const gatewayKey = 'key-of-the-simulator'

/** The team: who signs in each day. */
export const team: readonly { username: string; role: Role }[] = [
  { username: 'chefe', role: 'admin' },
  { username: 'sueli', role: 'supervisor' },
  { username: 'otavio', role: 'operator' },
  { username: 'olga', role: 'operator' },
  { username: 'oscar', role: 'operator' },
]

/** A running program with its database, its gateway and its files, on a clock of its own. */
export interface Company {
  name: string
  program: WatchedProgram
  database: Database
  simulator: Simulator
  clock: MonthClock
  /** Starts jobs of the program, and runs none. */
  queue: JobQueue
  dataDir: string
}

export interface CompanyOptions {
  name: string
  plan: MaintenancePlan
  defer(close: () => unknown): void
}

/** @param server has no database of that name yet */
export async function startCompany(
  server: OwnServer,
  { name, plan, defer }: CompanyOptions,
): Promise<Company> {
  const { dataDir, remove } = makeTemporaryFolder(`month-${name}`)
  defer(remove)
  await server.query(`create database ${name} owner balcao`)
  const url = server.url('balcao', name)
  const gatewayTime = gatewayClock()
  const simulator = await startSimulator({
    apiKey: gatewayKey,
    instanceName: 'loja1',
    clock: gatewayTime,
    echoMs: 2,
    serverAckMs: 5,
    deliveryAckMs: 10,
  })
  defer(() => simulator.close())
  const program = await startWatched({
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: 'k'.repeat(48),
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      ADMIN_USERNAME: 'chefe',
      ADMIN_EMAIL: 'chefe@prova.example',
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
    },
  })
  defer(() => program.stop())
  const log = createLog('silent')
  const database = openDatabase({ connection: { connectionString: url }, log, poolSize: 6 })
  defer(() => database.close())
  const queue = startJobQueue({ database, log }, [])
  defer(() => queue.stop())
  await queue.ready()
  const clock = await monthClock(database, gatewayTime)
  await clock.goTo(0, 8)
  const company = { name, program, database, simulator, clock, queue, dataDir }
  await furnish(company, plan)
  return company
}

async function furnish({ program, database, simulator }: Company, plan: MaintenancePlan): Promise<void> {
  // Automatic texts leave one a second; of a real day they would be minutes.
  await saveSettings(database, {
    ...quietSettings,
    finalizationMessage: '',
    transferMessage: '',
    inactivityMessage: '',
  })
  for (const { username, role } of team)
    if (username !== 'chefe')
      await createUser(database, {
        username,
        email: `${username}@prova.example`,
        name: username,
        password,
        role,
      })
  const { token } = await signIn(program.url, 'chefe')
  const ask = (method: string, path: string, body: object) =>
    read(`${program.url}${path}`, { method, body, token })
  const { url: baseUrl, instanceName, apiKey } = simulator
  await ask('POST', '/api/evolution-config', { baseUrl, instanceName, apiKey })
  await ask('POST', '/api/evolution-config/setup-webhook', {})
  await ask('PUT', '/api/maintenance/plan', plan)
  await database.execute(sql`update evolution_api_config set pace_per_second = 10000`)
}

export const signIn = (url: string, username: string) =>
  read<{ token: string; user: { id: number } }>(`${url}/api/auth/login`, {
    method: 'POST',
    body: { username, password },
  })

/** Asks until it is so. @throws Error after a minute */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(value)}`)
    await sleep(20)
  }
}

/** Waits until nothing is under way, so that the clock may be moved. */
export async function untilQuiet({ name, database, simulator }: Company): Promise<void> {
  await until(
    `${name} does not become quiet`,
    async () => {
      await simulator.control.idle()
      const [row] = await rows<Record<'inbox' | 'outbox' | 'files' | 'jobs', number>>(
        database,
        sql`select (select count(*)::int from webhook_inbox
                     where processed_at is null and dead_reason is null and instance_id is not null) as inbox,
                   (select count(*)::int from outbox
                     where state in ('pending', 'sending', 'unknown')) as outbox,
                   (select count(*)::int from media_fetches) as files,
                   (select count(*)::int from job_runs where finished_at is null) as jobs`,
      )
      return row ?? { inbox: 1, outbox: 1, files: 1, jobs: 1 }
    },
    ({ inbox, outbox, files, jobs }) => inbox + outbox + files + jobs === 0,
  )
}

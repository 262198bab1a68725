import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sessionSettings } from '#server/platform/database/db.ts'
import { applicationNameOf } from '#server/platform/embedded-postgres/lock/lock.ts'
import type { Log } from './log.ts'
import { neededExtensions, readSchemaState } from '#server/platform/database/migrate.ts'
import { readConnectionUrl } from './external-postgres/connection-url.ts'
import {
  type Facts,
  foreignTablesFault,
  readFacts,
  rightsFault,
  serverFault,
  serverWarnings,
} from './external-postgres/facts.ts'
import type { TlsChoice, TlsWay } from './external-postgres/tls.ts'
import {
  codeOf,
  hasNoTls,
  isBadCertificate,
  placeOf,
  refusedConnection,
} from './external-postgres/trouble.ts'
import { StartRefused } from './start-refused.ts'

const wakeWithinMs = 30_000

/** Where DATABASE_URL leads to, without names and passwords: 'db.example.com:5432/balcao'. */
export function placeOfUrl(url: string): string {
  const { host, port, database } = new pg.Client(readConnectionUrl(url, process.env).connection)
  return `${placeOf({ host, port })}/${database ?? ''}`
}

/**
 * Examines the PostgreSQL of DATABASE_URL before anything is written there, and finds out how to connect to
 * it. A server that is starting gets 30 s.
 * @returns the settings of every connection of the program
 * @throws StartRefused with one line that says what to do, when it cannot be used
 */
export async function checkExternalPostgres(url: string, log: Log): Promise<pg.PoolConfig> {
  const { connection, tls } = readConnectionUrl(url, process.env)
  const named = {
    ...connection,
    application_name: applicationNameOf(connection.application_name ?? 'balcao'),
  }
  const { client, ssl } = await connectBy(tls, named)
  try {
    const facts = await refuseUnfit(client, log)
    if (tls && tls.sslMode !== 'disable' && !facts.isEncrypted && !isLoopback(client.host))
      log.warn(
        { server: placeOf(client) },
        'the connection to PostgreSQL is not encrypted; sslmode=require says why',
      )
    const options = [connection.options, await checkInterval(client), ...durable(facts)].filter(Boolean)
    return { ...named, ssl, options: options.join(' ') }
  } catch (error) {
    if (error instanceof StartRefused) throw error
    throw refusedConnection(error, client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Tries each way in turn. The next one is tried when the server has no TLS, when pg_hba.conf requires the
 * other way, and, unless TLS was requested, when the certificate cannot be verified.
 */
async function connectBy(
  tls: TlsChoice | undefined,
  connection: pg.ClientConfig,
): Promise<{ client: pg.Client; ssl: TlsWay }> {
  const deadline = performance.now() + wakeWithinMs
  const ways = [...(tls?.ways ?? [false])]
  let badCertificate: StartRefused | undefined
  for (;;) {
    const ssl = ways[0] ?? false
    const client = newClient({ ...connection, ssl })
    try {
      await client.connect()
      return { client, ssl }
    } catch (error) {
      await client.end().catch(() => undefined)
      const code = error instanceof Error ? codeOf(error) : ''
      if (tls?.isOpportunistic && isBadCertificate(error)) badCertificate = refusedConnection(error, client)
      const leadsOn = code === '28000' || hasNoTls(error) || badCertificate
      if (ways.length > 1 && leadsOn) ways.shift()
      else if (code === '57P03' && performance.now() < deadline) await sleep(500)
      else throw code === '28000' && badCertificate ? badCertificate : refusedConnection(error, client)
    }
  }
}

/** Connects as the program itself will, so that all obstacles are found here. */
function newClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client({
    ...connection,
    options: [connection.options, sessionSettings].filter(Boolean).join(' '),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  return client
}

async function refuseUnfit(client: pg.Client, log: Log): Promise<Facts> {
  const facts = await readFacts(client)
  const fault = serverFault(facts)
  if (fault) throw new StartRefused(fault)
  for (const warning of serverWarnings(facts)) log.warn(warning)
  const state = await readSchemaState(client)
  const foreign = state.isEmpty ? await foreignTablesFault(client) : undefined
  if (foreign) throw new StartRefused(foreign)
  const missing = await rightsFault(client, facts, state, neededExtensions())
  if (missing) throw new StartRefused(missing)
  return facts
}

/** Ends the statements of a dead program, which would keep its locks. Not every system supports the check. */
async function checkInterval(client: pg.Client): Promise<string> {
  try {
    await client.query(`set client_connection_check_interval = '2s'`)
    return '-c client_connection_check_interval=2s'
  } catch {
    // Without support TCP notices it later.
    return ''
  }
}

/** Acknowledged data must survive a crash, whatever default the server's owner has chosen. */
function durable(facts: Facts): string[] {
  return facts.synchronousCommit === 'off' ? ['-c synchronous_commit=on'] : []
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

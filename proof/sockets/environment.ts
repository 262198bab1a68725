import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { connectGateway, createGateway, ensureConnection } from '#server/gateway/gateway.ts'
import { type Database, openDatabase, rows } from '#server/platform/database/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { hashToken, openSecrets, randomToken } from '#server/platform/secrets.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { Program } from '../support/program.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

/** The program on a new database, with the simulator in this process as its gateway. */
export interface Environment {
  program: Program
  simulator: Simulator
  /** Reads the program's database, also while the program is down. */
  query<Row extends Record<string, unknown>>(statement: ReturnType<typeof sql>): Promise<Row[]>
  close(): Promise<void>
}

/** A signed-in operator. */
export interface Operator {
  userId: number
  token: string
}

const socketsPerUser = 10

/** @throws Error if the program does not start, after cleaning up */
export async function openEnvironment(seed: number): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-sockets-'))
  // Started by root, the database runs under another account, which needs access to this folder.
  chmodSync(folder, 0o711)
  try {
    return await start(folder, seed)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

async function start(folder: string, seed: number): Promise<Environment> {
  const program = await Program.start({
    args: [],
    env: { DATA_DIR: folder, DATABASE_URL: '', GATEWAY_ALLOWED_HOSTS: '127.0.0.1' },
  })
  const simulator = await startSimulator({
    apiKey: 'key-of-the-sockets-proof',
    instanceName: 'loja1',
    seed,
    retryBaseMs: 500,
  })
  const attach = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const embedded = await startEmbeddedPostgres({ dataDir: resolve(folder), attachOnly: true })
    const database = openDatabase({
      connection: embedded.connection,
      log: createLog('silent'),
      poolSize: 2,
    })
    try {
      return await work(database)
    } finally {
      await database.close()
      await embedded.stop()
    }
  }
  const close = async () => {
    await program.stop()
    await simulator.close()
    rmSync(folder, { recursive: true, force: true })
  }
  await attach(async (database) => {
    await resetSettings(database)
    const secrets = openSecrets(undefined, folder)
    const outgoing = createOutgoingHttp(['127.0.0.1'])
    const gateway = { ...simulator, baseUrl: simulator.url, pacePerSecond: 1000 }
    const config = await ensureConnection(database, secrets, gateway)
    const { client } = createGateway(outgoing, secrets)
    await connectGateway(database, client, secrets, config, `${program.url}/api/webhook/evolution`)
    await outgoing.close()
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    program,
    simulator,
    query: (statement) => attach((database) => rows(database, statement)),
    close,
  }
}

/** Creates the operators for this many sockets, signed in without hashing passwords. */
export async function makeOperators(
  environment: Environment,
  name: string,
  sockets: number,
): Promise<Operator[]> {
  const tokens = Array.from({ length: Math.ceil(sockets / socketsPerUser) }, randomToken)
  const hashes = JSON.stringify(tokens.map(hashToken))
  const made = await environment.query<{ userId: number; tokenHash: string }>(
    sql`with wanted as (select hash, n
        from jsonb_array_elements_text(${hashes}::jsonb) with ordinality t(hash, n)),
             made as (insert into users (username, email, name, password_hash)
                      select ${name} || n, ${name} || n || '@prova.example', ${name} || ' ' || n, '-'
                            from wanted
                      returning id, username)
        insert into sessions (token_hash, user_id)
        select hash, made.id from wanted join made on made.username = ${name} || n
        returning user_id as "userId", token_hash as "tokenHash"`,
  )
  const byHash = new Map(tokens.map((token) => [hashToken(token), token]))
  return made.map(({ userId, tokenHash }) => ({ userId, token: byHash.get(tokenHash) ?? '' }))
}

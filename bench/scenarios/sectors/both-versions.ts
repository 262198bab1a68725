import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Pool } from 'undici'
import { migrateDatabase, openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { makeOtherVersion } from '../../../proof/support/other-version.ts'
import { Program } from '../../../proof/support/program.ts'
import type { fillProduct } from '../../environment/data.ts'
import { openCluster } from '../../environment/postgres.ts'

// Version 0.1.0 and today's with the same people, clients and conversations; today's have sectors, too.

/** The last version before everything that the team has now. */
const earlierCommit = 'c1155a5a'
const secretKey = 'bench-77d3e0a1c95b4f62-key-of-a-bench-run'
/** Each is of one sector or two, and twenty of each scope: 'all', 'sector', 'own'. */
export const people = 60
const sectorCount = 12

export interface BothVersions {
  earlier: Pool
  ours: Pool
  close(): Promise<void>
}

/** The statements that make the operators of the filled data sixty. */
const fewer = [
  `update conversations set assigned_user_id = 1 + (assigned_user_id - 1) % ${people}
    where assigned_user_id is not null`,
  `update messages set sender_id = 1 + (sender_id - 1) % ${people} where sender_id is not null`,
  `update users set is_active = false where id > ${people} and role = 'operator'`,
]

const withSectors = [
  `insert into sectors (name, color, place)
     select 'Setor ' || n, '#2563eb', n from generate_series(1, ${sectorCount}) n`,
  `insert into sector_people (user_id, sector_id)
     select n, s.id from generate_series(1, ${people}) n
       join (select id, row_number() over (order by id) - 1 as at from sectors) s
         on s.at = n % ${sectorCount} or (n % 3 = 0 and s.at = (n + 5) % ${sectorCount})`,
  `update users set scope = (array['all', 'sector', 'own'])[1 + (id - 1) % 3] where id <= ${people}`,
  `update conversations c set sector_id = s.id
     from (select id, row_number() over (order by id) - 1 as at from sectors) s
    where s.at = c.id % ${sectorCount}`,
]

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

async function upgrade(connectionString: string): Promise<void> {
  const database = openDatabase({ connection: { connectionString }, log: createLog('silent'), poolSize: 2 })
  try {
    await migrateDatabase(database)
  } finally {
    await database.close()
  }
}

/** Takes the earlier version from the history, fills its database, and upgrades a copy of that. */
export async function startBoth(conversations: number): Promise<BothVersions> {
  const ends: (() => unknown)[] = []
  const close = async () => {
    while (ends.length > 0) await ends.pop()?.()
  }
  try {
    const { folder, remove } = makeOtherVersion(earlierCommit, '0.1.0')
    ends.push(remove)
    const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-sectors-'))
    ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
    const cluster = await openCluster(undefined)
    ends.push(() => cluster.close())
    await cluster.create('earlier')
    const filled = (await import(join(folder, 'bench/environment/data.ts'))) as {
      fillProduct: typeof fillProduct
    }
    const number = {
      instanceName: 'loja1',
      gatewayUrl: 'http://127.0.0.1:1',
      apiKey: 'key',
      webhookSecret: 'secret-of-the-bench-webhook',
    }
    const size = { conversations, messagesEach: 20, longest: 2000 }
    const secrets = openSecrets(secretKey, dataDir)
    await filled.fillProduct(cluster.url('earlier'), size, number, secrets)
    await run(cluster.url('earlier'), fewer)
    await cluster.create('ours', 'earlier')
    await upgrade(cluster.url('ours'))
    await run(cluster.url('ours'), withSectors)
    for (const name of ['earlier', 'ours']) await run(cluster.url(name), ['vacuum (full, analyze)'])
    const start = async (name: string, more: { folder?: string }) => {
      const env = {
        NODE_ENV: 'production',
        LOG_LEVEL: 'fatal',
        HOST: '127.0.0.1',
        DATA_DIR: join(dataDir, name),
        CALLS_PER_MINUTE: '0',
        SECRET_KEY: secretKey,
        DATABASE_URL: cluster.url(name),
        GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      }
      const program = await Program.start({ args: [], env, ...more })
      const http = new Pool(program.url, { connections: 16, pipelining: 1 })
      ends.push(async () => {
        await http.close()
        await program.stop()
      })
      return http
    }
    return { earlier: await start('earlier', { folder }), ours: await start('ours', {}), close }
  } catch (error) {
    await close()
    throw error
  }
}

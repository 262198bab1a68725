import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '#server/audit/audit.ts'
import { noProgress } from '#server/maintenance/archive/progress.ts'
import { JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { type Database, migrateDatabase, openDatabase, rows } from '#server/platform/database/db.ts'
import { readSchemaState } from '#server/platform/database/migrate.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createLog } from '#server/platform/log.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { type EmptyDatabase, emptyDatabase } from '#server/testing/database/empty-database.ts'
import { differing, everyRow } from '#server/testing/database/every-row.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { writeOddRows } from '#server/testing/database/odd-rows.ts'
import { writePast } from '#server/testing/past.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { moveInstallation } from './move.ts'
import { readSequences, tablesFor } from './whole-tables.ts'

const empties: EmptyDatabase[] = []

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
beforeAll(async () => {
  await writePast(t, admin.userId, 2)
  await newTalk(t, admin)
  await t.settled()
  await t.app.stop()
  await writeOddRows(t.database)
})
afterAll(async () => {
  for (const empty of empties) await empty.close()
})

async function newDatabase(): Promise<Database> {
  const empty = await emptyDatabase()
  empties.push(empty)
  return empty.database
}

async function isEmpty({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_class where relnamespace in ('public'::regnamespace, to_regnamespace('drizzle'))`,
  )
  return rowCount === 0
}

async function withClient<T>({ pool }: Database, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

describe('an installation moves to another database', () => {
  test('to the last value, and goes on there', async () => {
    const before = await everyRow(t.database, 'move')
    const sequences = await withClient(t.database, readSequences)
    const target = await newDatabase()
    const moved = await moveInstallation(t.database, target, noProgress)
    expect(moved.rows).toBe(Object.values(before).flat().length)
    const after = await everyRow(target, 'move')
    // What nobody goes on with, a new history of events, and the act itself.
    const changed = ['audit_logs', 'installation', 'job_runs', 'maintenance_backups']
    expect(differing(before, after)).toEqual(changed)
    expect(before['sessions']?.length).toBeGreaterThan(0)
    expect(await rows(target, sql`select state from outbox where state not in ('sent', 'failed')`)).toEqual([
      { state: 'pending' },
    ])
    expect(differing(before, await everyRow(t.database, 'move'))).toEqual([])
    const ahead = (await withClient(target, readSequences)).filter(
      ({ name, value }) => sequences.find((known) => known.name === name)?.value !== value,
    )
    expect(ahead.map(({ name }) => name)).toEqual(['audit_logs_id_seq'])
    await migrateDatabase(target)
    expect((await readSchemaState(target.pool)).isPending).toBe(false)
    expect((await verifyChain(target, () => undefined)).breaks).toBe(0)
    // Triggers, foreign keys and indexes are back.
    const objects = (database: Database) =>
      rows(
        database,
        sql`select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
             where connamespace = 'public'::regnamespace
            union all select indexname, indexdef from pg_indexes where schemaname = 'public'
            union all select tgname, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger
                       where not tgisinternal
            order by 1, 2`,
      )
    expect(await objects(target)).toEqual(await objects(t.database))
  })

  testAtNight('to a server whose owner likes other forms of dates and numbers', async () => {
    const settings = {
      DateStyle: 'SQL, DMY',
      IntervalStyle: 'sql_standard',
      extra_float_digits: '-5',
      bytea_output: 'escape',
    }
    const own = await startOwnServer({ settings })
    await own.query(`create database banco encoding 'UTF8' template template0`)
    const connection = { host: own.folder, port: own.port, user: 'postgres', database: 'banco' }
    const target = openDatabase({ connection, log: createLog('silent'), poolSize: 3 })
    const { rows: count } = await moveInstallation(t.database, target, noProgress)
    expect(count).toBe(Object.values(await everyRow(t.database, 'move')).flat().length)
    await target.close()
    await own.close()
  })

  test('not while another program uses the old one', async () => {
    const { host, port, user } = t.database.pool.options
    const server = new pg.Client({
      host,
      port,
      user,
      database: t.name,
      application_name: 'balcao 4242 outra-maquina',
    })
    await server.connect()
    const target = await newDatabase()
    await expect(moveInstallation(t.database, target, noProgress)).rejects.toThrow(
      'O banco está em uso por balcao, processo 4242, máquina outra-maquina: pare o servidor',
    )
    await server.end()
    expect(await isEmpty(target)).toBe(true)
  })

  test('not to one where something is', async () => {
    const target = await newDatabase()
    await migrateDatabase(target)
    await expect(moveInstallation(t.database, target, noProgress)).rejects.toThrow('já tem uma instalação')
  })

  testAtNight('and leaves the other one empty when it fails, or is stopped', async () => {
    const target = await newDatabase()
    const disarm = armFailpoints('copy.loaded=throw')
    await expect(moveInstallation(t.database, target, noProgress)).rejects.toThrow('copy.loaded')
    disarm()
    expect(await isEmpty(target)).toBe(true)
    let left = 20
    const stopped = {
      ...noProgress,
      add: () => (--left < 0 ? Promise.reject(new JobInterrupted('cancelled')) : Promise.resolve()),
    }
    await expect(moveInstallation(t.database, target, stopped)).rejects.toThrow('cancelled')
    expect(await isEmpty(target)).toBe(true)
  })
})

test('tables of other programs stay as they are', async () => {
  const target = await newDatabase()
  await target.execute(
    sql.raw('create table alheia (id int primary key, x text); insert into alheia values (1, null)'),
  )
  await moveInstallation(t.database, target, noProgress)
  expect(await rows(target, sql`select * from alheia`)).toEqual([{ id: 1, x: null }])
})

describe('what is taken', () => {
  test('is every table, but for those that are left out for a reason', async () => {
    const taken = (purpose: 'copy' | 'move') =>
      withClient(t.database, async (client) => (await tablesFor(client, purpose)).map(({ name }) => name))
    const [copied, moved] = [await taken('copy'), await taken('move')]
    expect(moved.filter((name) => !copied.includes(name))).toContain('sessions')
    expect(copied.filter((name) => !moved.includes(name))).toEqual([])
    const there = await t.sql<{ name: string }>`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
    const left = there.filter(({ name }) => !moved.includes(name)).map(({ name }) => name)
    expect(left).toEqual(['events', 'presence'])
  })

  test('is every sequence of the product', async () => {
    const known = new Set((await withClient(t.database, readSequences)).map(({ name }) => name))
    const all = await t.sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`
    expect(all.filter(({ name }) => !known.has(name))).toEqual([])
  })
})

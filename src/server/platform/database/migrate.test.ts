import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { armFailpoints, FailpointError } from '#server/platform/failpoints.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { emptyDatabase, type EmptyDatabase, migrateToFirst } from '#server/testing/database/empty-database.ts'
import { rows } from './db.ts'
import { firstHistory } from './first-history.ts'
import { dropSchema, firstVersion, migrateDatabase, readSchemaState, schemaVersion } from './migrate.ts'
import { ourMigrations, readMigrations } from './migrations.ts'

const copies = folderForTests()

let t: EmptyDatabase
beforeEach(async () => {
  t = await emptyDatabase()
})
afterEach(() => t.close())

/** The migrations of a later version, which adds these to ours. */
function laterVersion(name: string, ...statements: string[]): string {
  const folder = join(copies, name)
  cpSync(ourMigrations, folder, { recursive: true })
  const file = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: object[] }
  for (const [n, statement] of statements.entries()) {
    const tag = `9${n}_later`
    appendFileSync(join(folder, `${tag}.sql`), statement)
    journal.entries.push({ idx: 900 + n, version: '7', when: schemaVersion + 1 + n, tag, breakpoints: true })
  }
  writeFileSync(file, JSON.stringify(journal))
  return folder
}

/** All tables with their columns and rows, also those of the job queue and the history. */
async function everything(): Promise<string[]> {
  const tables = await rows<{ name: string; columns: string }>(
    t.database,
    sql`select attrelid::regclass::text as name,
               string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as columns
          from pg_attribute join pg_class c on c.oid = attrelid
         where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'drizzle', 'pgboss')
           and attnum > 0 and not attisdropped
         group by attrelid order by 1`,
  )
  const found: string[] = []
  for (const { name, columns } of tables) {
    const all = await rows<{ row: string }>(
      t.database,
      sql.raw(`select r::text as row from ${name} r order by 1`),
    )
    found.push(`${name} (${columns})`, ...all.map(({ row }) => row))
  }
  return found
}

const installed = async () => {
  await migrateDatabase(t.database)
  await t.database.execute(sql`insert into companies (name) values ('Padaria São José'), ('Outra')`)
}

describe('an upgrade', () => {
  const good = `alter table companies add column later text default 'new' not null`

  test('an upgrade that fails in its middle changes nothing', async () => {
    await installed()
    const before = await everything()
    const ended: string[] = []
    const folder = laterVersion('broken', good, 'create unique index later on companies (later)')
    const upgrade = migrateDatabase(t.database, {
      folder,
      beforeUpgrade: (version) => {
        ended.push(`from ${version}`)
        return Promise.resolve({ failed: () => Promise.resolve(void ended.push('failed')) })
      },
    })
    const error: unknown = await upgrade.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartRefused)
    expect((error as Error).message).toMatch(
      /^A atualização do banco falhou em 91_later \(could not create unique index "later"\)\. Nada /,
    )
    expect(ended).toEqual([`from ${schemaVersion}`, 'failed'])
    expect(await everything()).toEqual(before)
    await migrateDatabase(t.database)
    expect(await everything()).toEqual(before)
  })

  test('an upgrade is one whole with the tables of the job queue', async () => {
    await installed()
    // Of an earlier version, and not as pg-boss expects it.
    await t.database.execute(sql`update pgboss.version set version = 39`)
    await t.database.execute(sql`alter table pgboss.schedule rename to gone`)
    const before = await everything()
    const folder = laterVersion('good', good)
    await expect(migrateDatabase(t.database, { folder })).rejects.toThrow('pgboss.schedule')
    expect(await everything()).toEqual(before)
    await t.database.execute(sql`alter table pgboss.gone rename to schedule`)
    await migrateDatabase(t.database, { folder })
    expect(await readSchemaState(t.database.pool, folder)).toEqual({
      isEmpty: false,
      isPending: false,
      isUpgrade: false,
      version: schemaVersion + 1,
    })
    expect(await rows(t.database, sql`select later, version from companies, pgboss.version`)).toEqual([
      { later: 'new', version: 42 },
      { later: 'new', version: 42 },
    ])
  })

  test('an upgrade that is refused beforehand changes nothing', async () => {
    const asked: number[] = []
    const beforeUpgrade = (version: number) => {
      asked.push(version)
      return Promise.reject(new StartRefused('Agora não.'))
    }
    await migrateDatabase(t.database, { beforeUpgrade })
    await t.database.execute(sql`drop schema pgboss cascade`)
    await migrateDatabase(t.database, { beforeUpgrade })
    expect(asked).toEqual([])
    const before = await everything()
    const folder = laterVersion('refused', good)
    await expect(migrateDatabase(t.database, { folder, beforeUpgrade })).rejects.toThrow('Agora não.')
    expect(asked).toEqual([schemaVersion])
    expect(await everything()).toEqual(before)
  })

  test('an upgrade that was made is not taken back when its program fails afterwards', async () => {
    await installed()
    const folder = laterVersion('late', good)
    const disarm = armFailpoints('upgrade.committed=throw')
    const failed: string[] = []
    const beforeUpgrade = () => Promise.resolve({ failed: () => Promise.resolve(void failed.push('failed')) })
    const upgrade = migrateDatabase(t.database, { folder, beforeUpgrade })
    await expect(upgrade).rejects.toThrow(FailpointError)
    disarm()
    expect(failed).toEqual([])
    expect((await readSchemaState(t.database.pool, folder)).isPending).toBe(false)
  })
})

describe('a database of version 0.1.0', () => {
  beforeEach(async () => {
    await migrateToFirst(t.database)
    await t.database.execute(sql`insert into companies (name) values ('Padaria São José'), ('Outra')`)
  })

  const history = () =>
    rows<{ when: string; hash: string }>(
      t.database,
      sql`select created_at::text as when, hash from drizzle.__drizzle_migrations order by created_at`,
    )
  const ofThisVersion = readMigrations().map(({ when, hash }) => ({ when: String(when), hash }))

  test('a database of version 0.1.0 is brought to the baseline once', async () => {
    expect(await history()).toHaveLength(38)
    expect(await readSchemaState(t.database.pool)).toEqual({
      isEmpty: false,
      isPending: true,
      isUpgrade: true,
      version: firstVersion,
    })
    const asked: number[] = []
    const beforeUpgrade = (version: number) => {
      asked.push(version)
      return Promise.resolve(undefined)
    }
    await migrateDatabase(t.database, { beforeUpgrade })
    expect(asked).toEqual([firstVersion])
    expect(await history()).toEqual(ofThisVersion)
    expect(await rows(t.database, sql`select name from companies order by id`)).toEqual([
      { name: 'Padaria São José' },
      { name: 'Outra' },
    ])
    const after = await everything()
    await migrateDatabase(t.database, { beforeUpgrade })
    expect(asked).toEqual([firstVersion])
    expect(await everything()).toEqual(after)
  })

  test('a database of version 0.1.0 is upgraded in one transaction', async () => {
    const before = await everything()
    const add = `alter table companies add column later text default 'new' not null`
    const broken = laterVersion('broken-first', add, 'select 1 / 0')
    await expect(migrateDatabase(t.database, { folder: broken })).rejects.toThrow(
      'A atualização do banco falhou em 91_later (division by zero). Nada foi mudado',
    )
    expect(await everything()).toEqual(before)
    const disarm = armFailpoints('upgrade.migrated=throw')
    await expect(migrateDatabase(t.database)).rejects.toThrow(FailpointError)
    disarm()
    expect(await everything()).toEqual(before)
    const later = laterVersion('good-first', add)
    await migrateDatabase(t.database, { folder: later })
    expect((await history()).slice(0, -1)).toEqual(ofThisVersion)
    expect((await readSchemaState(t.database.pool, later)).version).toBe(schemaVersion + 1)
    expect(await rows(t.database, sql`select distinct later from companies`)).toEqual([{ later: 'new' }])
  })

  test.each([1, 20, 37])(
    'a database of version 0.1.0 with only %i migrations is refused',
    async (applied) => {
      const last = firstHistory[applied - 1]
      await t.database.execute(
        sql`delete from drizzle.__drizzle_migrations where created_at > ${last?.when ?? 0}`,
      )
      const before = await everything()
      const error: unknown = await migrateDatabase(t.database).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(StartRefused)
      expect((error as Error).message).toBe(
        `Este banco é de antes da versão 0.1.0 do Balcão (${last?.tag}): ` +
          'inicie-o uma vez com a versão 0.1.0 (commit c1155a5a) e depois com esta. Nada foi mudado.',
      )
      expect(await everything()).toEqual(before)
    },
  )

  test('a database with a migration history of no known version is refused', async () => {
    const refused = /feito por outra edição do Balcão \(0037_numbers\)/
    const [{ when, hash } = { when: '', hash: '' }] = ofThisVersion
    await t.database.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`,
    )
    await expect(migrateDatabase(t.database)).rejects.toThrow(refused)
    await t.database.execute(sql`delete from drizzle.__drizzle_migrations where created_at = ${when}`)
    await t.database.execute(
      sql`update drizzle.__drizzle_migrations set hash = 'other' where created_at = ${firstVersion}`,
    )
    await expect(migrateDatabase(t.database)).rejects.toThrow(refused)
  })
})

const objects = async () =>
  (
    await rows<{ name: string }>(
      t.database,
      sql`select 'relation ' || n.nspname || '.' || relname as name from pg_class c
            join pg_namespace n on n.oid = relnamespace
           where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
           union all
          select 'function ' || n.nspname || '.' || proname from pg_proc p
            join pg_namespace n on n.oid = pronamespace
           where n.nspname not in ('pg_catalog', 'information_schema')
             and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
           union all
          select 'type ' || n.nspname || '.' || typname from pg_type y
            join pg_namespace n on n.oid = typnamespace
           where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
             -- The array of a type comes and goes with it.
             and not exists (select from pg_type element where element.typarray = y.oid)
             and not exists (select from pg_depend d where d.objid = y.oid and d.deptype = 'e')`,
    )
  )
    .map(({ name }) => name)
    .toSorted()

test('the schema is taken away whole, and nothing of another program', async () => {
  await t.database.execute(sql`create table of_another_program (id int primary key)`)
  await t.database.execute(sql`create function another() returns int language sql as 'select 1'`)
  const others = await objects()
  await migrateDatabase(t.database)
  const client = await t.database.pool.connect()
  await client.query('begin')
  await dropSchema(client)
  await client.query('commit')
  client.release()
  expect((await objects()).filter((name) => !/ drizzle\./.test(name))).toEqual(others)
  expect((await readSchemaState(t.database.pool)).isEmpty).toBe(true)
  await migrateDatabase(t.database)
})

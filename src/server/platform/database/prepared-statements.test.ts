import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fold } from '#shared/text/fold.ts'
import { users } from '#server/schema/users.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { companies, contacts } from '#server/schema/contacts/contacts.ts'
import { folded } from '#server/schema/columns.ts'
import { inSnapshot, inTransaction, migrateDatabase, rows } from './db.ts'
import { isStalePreparation, plannedEachTime, PreparingClient } from './prepared-statements.ts'
import { statement } from './statement.ts'
import { foldedContains } from './folded.ts'

const t = forAllTests(testDatabase)

const opened: pg.Client[] = []
beforeAll(async () => {
  await t.sql`create table notes (id int primary key, text text not null)`
  await t.sql`insert into notes select n, 'note ' || n from generate_series(1, 50) n`
})
afterAll(async () => {
  for (const client of opened) await client.end()
})

async function connect(maxPreparedStatements?: number): Promise<pg.Client> {
  const client = new PreparingClient({
    ...t.database.pool.options,
    ...(maxPreparedStatements !== undefined && { maxPreparedStatements }),
  })
  opened.push(client)
  await client.connect()
  return client
}

interface Prepared {
  statement: string
  plans: number
}

/** The server's prepared statements of the connection. With its semicolon, this query is not one of them. */
async function preparedOf(client: pg.ClientBase): Promise<Prepared[]> {
  const { rows: found } = await client.query<Prepared>(
    `select statement, (generic_plans + custom_plans)::int as plans
       from pg_prepared_statements order by prepare_time;`,
  )
  return found
}

const byId = 'select text from notes where id = $1'
const numbered = (n: number) => `select text, ${n} as n from notes where id = $1`

test('a statement with values is prepared once a connection, however it is asked', async () => {
  const client = await connect()
  await client.query(byId, [1])
  await client.query({ text: byId, values: [2] })
  await client.query({ text: byId, rowMode: 'array' } as pg.QueryConfig, [3])
  await new Promise((resolve) => {
    client.query(byId, [4], resolve)
  })
  expect(await preparedOf(client)).toEqual([{ statement: byId, plans: 4 }])
})

test('a prepared statement answers as an unprepared one does', async () => {
  const plain = new pg.Client(t.database.pool.options)
  opened.push(plain)
  await plain.connect()
  const client = await connect()
  const asked: [string | pg.QueryConfig, unknown[]][] = [
    [
      'select $1::timestamptz as at, $2::jsonb as data, $3::int[] as list',
      ['2026-01-02T03:04:05Z', { a: 1 }, [1, 2]],
    ],
    [{ text: 'select id, text from notes where id < $1 order by id', rowMode: 'array' } as never, [4]],
    ['select count(*) from notes where text like $1', ['note 1%']],
    ['update notes set text = text where id = any($1) returning id', [[1, 2]]],
    ['select 1 / $1::int', [0]],
    ['select nothing from notes where id = $1', [1]],
    ['select $1::int', ['x']],
  ]
  const outcome = (which: pg.Client, [query, values]: (typeof asked)[number]) =>
    which.query(query as string, values).then(
      ({ rows: found, rowCount, fields }) => ({
        found,
        rowCount,
        types: fields.map((one) => one.dataTypeID),
      }),
      (error: pg.DatabaseError) => ({ code: error.code, message: error.message }),
    )
  for (let round = 0; round < 7; round++)
    for (const one of asked) expect(await outcome(client, one)).toEqual(await outcome(plain, one))
})

test('a statement whose table was missing is prepared once the table exists', async () => {
  const client = await connect()
  const late = 'select n from late where n = $1'
  await expect(client.query(late, [1])).rejects.toThrow('late')
  await client.query('create table late as select 1 as n')
  expect((await client.query(late, [1])).rows).toEqual([{ n: 1 }])
  await client.query('drop table late')
})

test('a statement with values tells where it was asked when it fails', async () => {
  const client = await connect()
  const error = await client.query('select 1 / $1::int', [0]).catch((reason: unknown) => reason as Error)
  expect((error as Error).stack).toContain('prepared-statements')
})

test('a statement without values is prepared too', async () => {
  const client = await connect()
  const all = 'select count(*)::int as n from notes'
  const counts = [await client.query(all), await client.query(all, []), await client.query({ text: all })]
  expect(new Set(counts.map(({ rows: [row] }) => (row as { n: number }).n)).size).toBe(1)
  expect(await preparedOf(client)).toEqual([{ statement: all, plans: 3 }])
})

test('what is not prepared is several statements in one text, and what is not planned', async () => {
  const client = await connect()
  await client.query('begin')
  await client.query("set local work_mem = '1MB'; select 1; select 2")
  await client.query('select 1; select 2')
  await client.query('commit')
  expect(await preparedOf(client)).toEqual([])
})

test('what is not prepared is marked as planned each time, in a builder as in SQL', async () => {
  const statements = await inTransaction(t.database, async (db) => {
    await db
      .select({ id: users.id })
      .from(users)
      .where(plannedEachTime(sql`${users.name} ilike ${'%a%'}`))
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, 1), plannedEachTime(eq(users.id, 1))))
    await rows(db, sql`select 1 from users where ${plannedEachTime(sql`name = ${'a'}`)}`)
    await rows(db, sql`select 'not marked' from users where name = ${'a'}`)
    return rows<{ statement: string }>(db, sql`select statement from pg_prepared_statements`)
  })
  const all = statements.map(({ statement }) => statement)
  expect(all.filter((one) => one.includes('each time'))).toEqual([])
  expect(all.filter((one) => one.includes('not marked'))).toHaveLength(1)
})

test('statements of migrations are not prepared', async () => {
  const asked: unknown[] = []
  const query = Reflect.get(PreparingClient.prototype, 'query') as (...args: unknown[]) => unknown
  PreparingClient.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    asked.push(args[0])
    return Reflect.apply(query, this, args) as never
  }
  try {
    await migrateDatabase(t.database)
  } finally {
    PreparingClient.prototype.query = query as never
  }
  expect(asked).toEqual([])
})

test('the least recently used statement is closed, and comes back when it is asked again', async () => {
  const client = await connect(3)
  for (const n of [1, 2, 3, 1, 4]) await client.query(numbered(n), [n])
  const kept = (await preparedOf(client)).map(({ statement }) => statement)
  expect(kept.toSorted()).toEqual([numbered(1), numbered(3), numbered(4)])
  expect((await client.query(numbered(2), [2])).rows).toEqual([{ text: 'note 2', n: 2 }])
  expect(await preparedOf(client)).toHaveLength(3)
})

test('the bound holds for statements that are asked at once, some of them failing', async () => {
  const client = await connect(2)
  const ask = fc.record({ n: fc.integer({ min: 1, max: 5 }), isWrong: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(ask, { maxLength: 30 }), async (all) => {
      const answers = await Promise.allSettled(
        all.map(({ n, isWrong }) => client.query<{ n: number }>(numbered(n), [isWrong ? 'x' : n])),
      )
      answers.forEach((answer, at) => {
        expect(answer.status).toBe(all[at]?.isWrong ? 'rejected' : 'fulfilled')
        if (answer.status === 'fulfilled')
          expect(answer.value.rows).toEqual([{ text: `note ${all[at]?.n}`, n: all[at]?.n }])
      })
      expect((await preparedOf(client)).length).toBeLessThanOrEqual(2)
    }),
    { numRuns: 60 },
  )
})

describe('a statement that is stale', () => {
  const lose: [string, (client: pg.ClientBase) => Promise<unknown>, string][] = [
    ['because the server has forgotten it', (client) => client.query('discard all'), '26000'],
    [
      'because its columns have changed',
      (client) => client.query('alter table stale alter text type varchar using text'),
      '0A000',
    ],
  ]
  const all = 'select * from stale where id = $1'
  const table = (client: pg.ClientBase) =>
    client.query('drop table if exists stale; create table stale as select id, text from notes')

  test.each(lose)('%s runs again at once outside a transaction', async (_name, make) => {
    const client = await connect()
    await table(client)
    await client.query(all, [1])
    await client.query(byId, [1])
    await make(client)
    expect((await client.query(all, [2])).rows).toEqual([{ id: 2, text: 'note 2' }])
    expect((await client.query(byId, [2])).rows).toEqual([{ text: 'note 2' }])
    await client.query(all, [3])
    const kept = (await preparedOf(client)).map(({ statement }) => statement)
    expect(kept.toSorted()).toEqual([all, byId].toSorted())
  })

  test.each(lose)(
    '%s fails inside a transaction with an error worth repeating it for',
    async (_name, make, code) => {
      const client = await connect()
      await table(client)
      await client.query(all, [1])
      await make(client)
      await client.query('begin')
      const error: unknown = await client.query(all, [2]).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code })
      expect(isStalePreparation(error)).toBe(true)
      await client.query('rollback')
      await client.query('begin')
      expect((await client.query(all, [2])).rows).toEqual([{ id: 2, text: 'note 2' }])
      await client.query('commit')
    },
  )

  test('a statement that is stale lets its transaction run again as a whole, and writes once', async () => {
    const one = t.openAgain()
    one.pool.options.max = 1
    const write = (id: number) =>
      inTransaction(one, async (db) => {
        await db.execute(sql`insert into notes values (${id}, 'new')`)
        return rows<{ n: number }>(db, sql`select count(*)::int as n from notes where id = ${id}`)
      })
    const read = () =>
      inSnapshot(one, (db) => rows<{ text: string }>(db, sql`select text from notes where id = ${1}`))
    await write(100)
    await read()
    await one.pool.query('deallocate all')
    expect(await write(101)).toEqual([{ n: 1 }])
    await one.pool.query('deallocate all')
    expect(await read()).toEqual([{ text: 'note 1' }])
  })
})

const byName = statement<{ name: string }>()((db) =>
  db
    .select()
    .from(companies)
    .where(eq(companies.name, sql.placeholder('name'))),
)

test('a statement inside a transaction sees what the transaction wrote, and nobody else does', async () => {
  await expect(
    inTransaction(t.database, async (db) => {
      await db.insert(companies).values({ name: 'Padaria' })
      expect(await byName(db, { name: 'Padaria' })).toMatchObject([{ name: 'Padaria', isActive: true }])
      expect(await byName(t.database, { name: 'Padaria' })).toEqual([])
      await db.transaction(async (inside) => {
        await inside.insert(companies).values({ name: 'Oficina' })
        expect(await byName(inside, { name: 'Oficina' })).toHaveLength(1)
      })
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  expect(await byName(t.database, { name: 'Padaria' })).toEqual([])
  expect(await byName(t.database, { name: 'Oficina' })).toEqual([])
})

test('its text is built once a connection, and its plan once too', async () => {
  const one = t.openAgain()
  one.pool.options.max = 1
  const build = vi.fn((db: Parameters<typeof byName>[0]) =>
    db
      .select({ id: companies.id })
      .from(companies)
      .where(sql`${companies.id} = any(${sql.placeholder('ids')})`),
  )
  const byIds = statement<{ ids: number[] }>()(build)
  for (let n = 0; n < 4; n++)
    await inTransaction(one, async (db) => {
      await byIds(db, { ids: Array.from({ length: n }, (_, id) => id) })
      await byIds(db, { ids: [n] })
    })
  expect(build).toHaveBeenCalledTimes(1)
  const kept = await rows<{ n: number }>(
    one,
    sql`select (generic_plans + custom_plans)::int as n
          from pg_prepared_statements where statement like '%any(%';`,
  )
  expect(kept).toEqual([{ n: 8 }])
})

const names = [
  'José',
  'Győr',
  'Žižek',
  'İstanbul',
  'Şükrü',
  'Đà Nẵng',
  'Ünsal',
  'Мария Ёлкина',
  '김하늘',
  'हिन्दी',
  'اهلا',
]

/** Letters that Unicode has had for long: Node and the server may know different versions. */
const letters = [
  ' -~',
  '\u00a0-\u024f',
  '\u0300-\u036f',
  '\u0400-\u04ff',
  '\u0900-\u097f',
  '\u1e00-\u1eff',
  '\u4e00-\u9fff',
  '\uac00-\ud7a3',
].join('')

test('the database folds a text as the pages do', async () => {
  const texts = [
    ...names,
    ...fc.sample(fc.stringMatching(new RegExp(`^[${letters}]*$`, 'u')), { numRuns: 2000, seed: 20251125 }),
  ]
  const found = await t.sql<{ text: string; folded: string }>`
    select text, ${folded(sql`text`)} as folded from unnest(${sql.param(texts)}::text[]) as text`
  expect(found).toHaveLength(texts.length)
  const differing = found.filter((row) => row.folded !== fold(row.text))
  expect(differing).toEqual([])
})

test.each(names.flatMap((name) => [name, name.normalize('NFD')]))(
  '%s is found as it is written, in capitals, and composed or not',
  async (name) => {
    await t.database.insert(contacts).values({ name })
    const [row] = await t.database
      .select({ folded: contacts.nameFolded })
      .from(contacts)
      .where(sql`${contacts.name} = ${name}`)
    for (const words of [name, name.toUpperCase(), name.normalize('NFC'), name.normalize('NFD')])
      expect(row?.folded).toContain(fold(words))
  },
)

test('a name is found by an index', async () => {
  const plan = await inTransaction(t.database, async (db) => {
    // A few rows are read faster one by one.
    await db.execute(sql`set local enable_seqscan = off`)
    return rows<{ 'QUERY PLAN': string }>(
      db,
      sql`explain select id from contacts where ${foldedContains(contacts.nameFolded, 'Žižek')}`,
    )
  })
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('contacts_name_folded')
})

import { Writable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { anyEvent } from '#server/testing/inputs/any-event.ts'
import { type Database, inSavepoint, inTransaction, isDatabaseDown, rows, openDatabase } from './db.ts'
import { fromDatabaseData, toDatabaseData } from './database-data.ts'
import { createLog } from '../log.ts'

const t = forAllTests(testDatabase)

beforeAll(() => t.sql`create table notes (text text not null)`)

const notes = async () =>
  (await t.sql<{ text: string }>`select text from notes order by text`).map((row) => row.text)
const eventTypes = async () =>
  (await t.sql<{ type: string }>`select type from events order by events.seq`).map((row) => row.type)

/** Makes the server drop the connection, and waits until the driver has noticed. */
async function drop(client: pg.PoolClient): Promise<void> {
  const found = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const gone = new Promise((resolve) => void client.once('end', resolve))
  await t.sql`select pg_terminate_backend(${found.rows[0]?.pid})`
  await gone
}

const note = (database: Database, text: string) =>
  inTransaction(database, async (db) => void (await db.execute(sql`insert into notes values (${text})`)))

test('a lost connection ends its transaction, not the process', async () => {
  const failing = inTransaction(t.database, async (db) => {
    const [own] = await rows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`)
    const others = t.openAgain()
    await others.execute(sql`select pg_terminate_backend(${own?.pid})`)
    await eventually(() => rows(others, sql`select 1 from pg_stat_activity where pid = ${own?.pid}`), {
      length: 0,
    })
    await db.execute(sql`insert into notes values ('after the end')`)
  })
  const error: unknown = await failing.catch((reason: unknown) => reason)
  expect(isDatabaseDown(error)).toBe(true)
  expect(await notes()).not.toContain('after the end')
})

test('a lost connection before BEGIN is not kept: any number of them leaves the pool whole', async () => {
  const small = t.openAgain()
  small.pool.options.max = 2
  const connect = small.pool.connect.bind(small.pool)
  const spy = vi.spyOn(small.pool, 'connect').mockImplementation((async () => {
    const client = await connect()
    await drop(client)
    return client
  }) as never)
  for (let n = 0; n < 5; n++) {
    const error: unknown = await note(small, 'never').catch((reason: unknown) => reason)
    expect(isDatabaseDown(error)).toBe(true)
  }
  spy.mockRestore()
  await note(small, 'afterwards')
  expect(await notes()).toEqual(['afterwards'])
  await t.sql`truncate notes`
})

test('a failed part of a transaction is rolled back, and the rest goes on', async () => {
  await inTransaction(t.database, async (outer) => {
    await outer.execute(sql`insert into notes values ('before')`)
    outer.emit(anyEvent('before'))
    const failing = inSavepoint(outer, async (db) => {
      await db.execute(sql`insert into notes values ('inside')`)
      db.emit(anyEvent('inside'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await inSavepoint(outer, async (db) => {
      await db.execute(sql`insert into notes values ('second')`)
      db.emit(anyEvent('second'))
    })
  })
  expect(await notes()).toEqual(['before', 'second'])
  expect(await eventTypes()).toEqual(['before', 'second'])
  await t.sql`truncate notes, events`
})

test('an unwritable event rolls back the whole transaction', async () => {
  const failing = inTransaction(t.database, async (db) => {
    await db.execute(sql`insert into notes values ('with it')`)
    db.emit({ ...anyEvent('nobody'), conversationId: 2 ** 40 } as ReturnType<typeof anyEvent>)
  })
  await expect(failing).rejects.toThrow()
  expect(await notes()).toEqual([])
  // The connection is still usable.
  await inTransaction(t.database, async (db) => db.execute(sql`insert into notes values ('next')`))
  expect(await notes()).toEqual(['next'])
  await t.sql`truncate notes`
})

test('of two that wait for each other the one that was chosen to fail is tried again', async () => {
  await t.sql`insert into notes values ('a'), ('b')`
  let arrived = 0
  const both = Promise.withResolvers<void>()
  const take = (first: string, second: string) => {
    let isFirstTry = true
    return inTransaction(t.database, async (db) => {
      await db.execute(sql`select 1 from notes where text = ${first} for update`)
      if (isFirstTry && ++arrived === 2) both.resolve()
      isFirstTry = false
      await both.promise
      await db.execute(sql`select 1 from notes where text = ${second} for update`)
      db.emit(anyEvent(`${first}${second}`))
    })
  }
  await Promise.all([take('a', 'b'), take('b', 'a')])
  expect((await eventTypes()).toSorted()).toEqual(['ab', 'ba'])
})

const log = createLog('silent')

/** What a thread has of a database that was opened so. */
async function passedOn(ssl: ConnectionOptions | boolean | undefined) {
  const connection = { host: '127.0.0.1', port: 1, user: 'balcao', password: 'senha', options: '-c jit=off' }
  const database = openDatabase({
    connection: { ...connection, ...(ssl !== undefined && { ssl }) },
    log,
    clockOffset: '3 days',
  })
  const data = structuredClone(toDatabaseData(database))
  await database.close()
  return fromDatabaseData(data)
}

test('a thread connects as the program does', async () => {
  const { connection, clockOffset } = await passedOn(undefined)
  expect(clockOffset).toBe('3 days')
  expect(connection).toEqual({
    host: '127.0.0.1',
    port: 1,
    user: 'balcao',
    password: 'senha',
    options: '-c jit=off',
  })
  expect((await passedOn(false)).connection.ssl).toBe(false)
})

test('a thread connects with the same certificates, and the server’s name compared or not', async () => {
  // The driver changes the object that it is given.
  const files = () => ({ ca: 'A', cert: 'C', key: 'K', rejectUnauthorized: true })
  expect((await passedOn(files())).connection.ssl).toEqual(files())
  const loose = await passedOn({ ...files(), checkServerIdentity: () => undefined })
  expect(loose.connection.ssl).toEqual({ ...files(), checkServerIdentity: expect.any(Function) })
})

test('a lost connection is logged in a line without a stack, and not at all at a clean stop', async () => {
  const lines: string[] = []
  const to = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) })
  const database = openDatabase({ ...t.database.opened, log: createLog('info', to), poolSize: 1 })
  await rows(database, sql`select 1`)
  database.pool.emit('error', new Error('terminating connection'))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'database connection lost',
    reason: 'terminating connection',
  })
  expect(lines[0]).not.toContain(' at ')
  const closed = database.close()
  database.pool.emit('error', new Error('terminating connection'))
  await closed
  expect(lines).toHaveLength(1)
})

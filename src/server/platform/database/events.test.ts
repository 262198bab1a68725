import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually, testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { type Database, inSavepoint, inTransaction, rows, type Urgency } from './db.ts'
import {
  endOfLog,
  EventFollower,
  type EventRow,
  eventsSince,
  formatCursor,
  parseCursor,
  type Position,
  startEventReader,
  trimEvents,
} from './events.ts'
import { createLog } from '#server/platform/log.ts'
import { anyEvent } from '#server/testing/any-event.ts'

let t: TestDatabase
const log = createLog('silent')

beforeAll(async () => {
  t = await testDatabase()
})
beforeEach(async () => {
  await t.database.execute(sql`truncate events restart identity`)
})
afterAll(() => t.close())

/** A transaction of one's own that writes, waits and commits when it is told to. */
interface Writer {
  /** Takes a transaction id, as the first row that is written does. */
  takeId(): Promise<string>
  write(name: string): Promise<void>
  commit(): Promise<void>
}

async function writer(): Promise<Writer> {
  const client: pg.PoolClient = await t.database.pool.connect()
  await client.query('begin')
  return {
    async takeId() {
      const { rows: found } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
      return found[0]?.id ?? ''
    },
    write: async (name) => void (await client.query('insert into events (type) values ($1)', [name])),
    async commit() {
      await client.query('commit')
      client.release()
    },
  }
}

/** Until no open transaction of the whole server is older: those of the tests beside this one count too. */
const settled = (id: string) =>
  eventually(
    () =>
      rows<{ is: boolean }>(
        t.database,
        sql`select ${id}::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as is`,
      ),
    ([row]) => row?.is === true,
  )

/** How a reader looks at the log: called again and again, it names what it has not named before. */
type Look = () => Promise<string[]>

const follower = (): Look => {
  const follow = new EventFollower({ tx: '0', seq: '0' })
  return async () => (await unseen(follow)).map((row) => row.type)
}

async function unseen(follow: EventFollower): Promise<EventRow[]> {
  const found = await follow.next(t.database)
  if (!found) throw new Error('too many')
  return found
}

/** The types of what came after a place, or why that cannot be told. */
async function typesSince(...[from, limit]: [Position, number]): Promise<string[] | string> {
  const found = await eventsSince(t.database, from, limit)
  return typeof found === 'string' ? found : found.map((row) => row.type)
}

const nothingSkipped = () => Promise.reject(new Error('skipped'))

/** The reader that everybody writes first. */
const readerBySeq = (): Look => {
  let cursor = '0'
  return async () => {
    const found = await rows<{ seq: string; type: string }>(
      t.database,
      sql`select seq::text, type from events where seq > ${cursor}::bigint order by events.seq`,
    )
    cursor = found.at(-1)?.seq ?? cursor
    return found.map((row) => row.type)
  }
}

/** The reader that everybody writes second: only what is older than the oldest open transaction. */
const readerBySettledSeq = (): Look => {
  let cursor = '0'
  return async () => {
    const found = await rows<{ seq: string; type: string }>(
      t.database,
      sql`select seq::text, type from events
           where seq > ${cursor}::bigint and tx < pg_snapshot_xmin(pg_current_snapshot()) order by events.seq`,
    )
    cursor = found.at(-1)?.seq ?? cursor
    return found.map((row) => row.type)
  }
}

/** The event that was written first is committed last. */
async function lateCommit(look: Look): Promise<string[]> {
  const seen: string[] = []
  const [first, second] = [await writer(), await writer()]
  await first.write('first')
  await second.write('second')
  await second.commit()
  seen.push(...(await look()))
  await first.commit()
  seen.push(...(await look()))
  return seen
}

/** The transaction with the later id writes the earlier event, and commits last. */
async function lateId(look: Look): Promise<string[]> {
  const seen: string[] = []
  const [older, younger] = [await writer(), await writer()]
  const olderId = await older.takeId()
  const youngerId = await younger.takeId()
  await younger.write('earlier')
  await older.write('later')
  await older.commit()
  await settled(olderId)
  seen.push(...(await look()))
  await younger.commit()
  await settled(youngerId)
  seen.push(...(await look()))
  return seen
}

describe('transactions that end in another order than they began', () => {
  test('the follower tells an event that was written first and committed last', async () => {
    expect(await lateCommit(follower())).toEqual(['second', 'first'])
  })

  test('a reader by seq alone loses it', async () => {
    expect(await lateCommit(readerBySeq())).toEqual(['second'])
  })

  test('the follower tells the earlier event of a transaction with the later id', async () => {
    expect(await lateId(follower())).toEqual(['later', 'earlier'])
  })

  test('a reader by seq below the oldest open transaction loses it', async () => {
    expect(await lateId(readerBySettledSeq())).toEqual(['later'])
  })

  test('an open transaction of somebody else holds nothing back', async () => {
    const look = follower()
    const slow = await writer()
    await slow.takeId()
    for (const name of ['one', 'two', 'three']) {
      await inTransaction(t.database, async (db) => db.emit(anyEvent(name)))
      expect(await look()).toEqual([name])
      expect(await look()).toEqual([])
    }
    await slow.write('at last')
    await slow.commit()
    expect(await look()).toEqual(['at last'])
    expect(await look()).toEqual([])
  })

  test('the position waits for the open transaction, and forgets what is settled', async () => {
    const follow = new EventFollower({ tx: '0', seq: '0' })
    const slow = await writer()
    await slow.takeId()
    await inTransaction(t.database, async (db) => db.emit(anyEvent('quick')))
    await follow.next(t.database)
    expect(follow.position).toEqual({ tx: '0', seq: '0' })
    await slow.commit()
    const [quick] = await rows<{ tx: string; seq: string }>(
      t.database,
      sql`select tx::text, seq::text from events`,
    )
    await settled(quick?.tx ?? '')
    await follow.next(t.database)
    expect(follow.position).toEqual(quick)
  })

  test('an event that was taken back is told by nobody and stops nobody', async () => {
    const look = follower()
    const failing = inTransaction(t.database, async (db) => {
      await db.execute(sql`insert into events (type) values ('never')`)
      db.emit(anyEvent('never either'))
      throw new Error('the work failed')
    })
    await expect(failing).rejects.toThrow('the work failed')
    await inTransaction(t.database, async (db) => db.emit(anyEvent('after')))
    expect(await look()).toEqual(['after'])
  })
})

describe('many writers at once', () => {
  const writers = 16
  const each = 60
  const conversations = 5

  /** A fixed scramble: the same load in every run. */
  const scramble = (n: number) => ((n * 2_654_435_761) >>> 16) % 1000

  async function write(database: Database, number: number): Promise<void> {
    for (let n = 0; n < each; n++) {
      const chance = scramble(number * each + n)
      const conversation = (chance % conversations) + 1
      await inTransaction(database, async (db) => {
        // Like the message that is written before its event: the id is taken long before the seq.
        await db.execute(sql`select pg_current_xact_id()`)
        await db.execute(sql`select pg_advisory_xact_lock(${conversation})`)
        await db.execute(
          sql`insert into events (type, conversation_id, data) values ('load', ${conversation},
            jsonb_build_object('writer', ${number}::int, 'n', ${n}::int, 'order', nextval('load_order')))`,
        )
        // The row is held open while others go on.
        if (chance % 3 === 0) await db.execute(sql`select pg_sleep(${(chance % 4) / 1000}::float8)`)
      })
    }
  }

  test('the follower misses nothing, doubles nothing, and keeps the order of each conversation', async () => {
    await t.database.execute(sql`create sequence load_order`)
    const pools = [t.openAgain(), t.openAgain()] as const
    const stranger = await writer()
    await stranger.takeId()
    const follow = new EventFollower(await endOfLog(t.database))
    const seen: EventRow[] = []
    let isWriting = true
    const reading = (async () => {
      while (isWriting) seen.push(...(await unseen(follow)))
    })()
    await Promise.all(
      Array.from({ length: writers }, (_, number) => write(number % 2 === 0 ? pools[0] : pools[1], number)),
    )
    isWriting = false
    await reading
    seen.push(...(await unseen(follow)))
    const names = seen.map((row) => `${String(row.data?.['writer'])}:${String(row.data?.['n'])}`)
    expect(names).toHaveLength(writers * each)
    expect(new Set(names).size).toBe(writers * each)
    for (let conversation = 1; conversation <= conversations; conversation++) {
      const orders = seen
        .filter((row) => row.conversationId === conversation)
        .map((row) => Number(row.data?.['order']))
      expect(orders).toEqual(orders.toSorted((a, b) => a - b))
    }
    // All of it while the stranger's transaction was open; it holds only the position.
    expect(follow.position.seq).toBe('0')
    await stranger.commit()
    // Whatever is written at this moment in any other database of the server holds the position a little longer.
    await eventually(
      async () => ({ more: await unseen(follow), seq: follow.position.seq }),
      ({ more, seq }) => more.length === 0 && seq !== '0',
    )
  })

  test.each([8, 95, 996])('numbers are ordered as numbers, also past %i', async (start) => {
    await t.database.execute(sql`select setval('events_seq_seq', ${start - 1})`)
    const [from] = await rows<{ tx: string; seq: string }>(
      t.database,
      sql`insert into events (type) values ('known') returning tx::text, seq::text`,
    )
    if (!from) throw new Error('not written')
    const look = follower()
    expect(await look()).toEqual(['known'])
    await t.database.execute(sql`insert into events (type) select 'n' || n from generate_series(1, 12) n`)
    const names = Array.from({ length: 12 }, (_, n) => `n${n + 1}`)
    expect(await typesSince(from, 100)).toEqual(names)
    expect(await look()).toEqual(names)
    expect(await look()).toEqual([])
    await t.database.execute(sql`insert into events (type) values ('next')`)
    expect(await look()).toEqual(['next'])
  })

  test('a follower that is thousands behind catches up without a gap', async () => {
    await t.database.execute(sql`insert into events (type) select 'n' || n from generate_series(1, 2500) n`)
    const look = follower()
    const seen = [...(await look()), ...(await look())]
    expect(seen).toEqual(Array.from({ length: 2500 }, (_, n) => `n${n + 1}`))
  })

  test('however much came between, the second event of a conversation never comes before its first', async () => {
    const [older, filler, younger] = [await writer(), await writer(), await writer()]
    await older.takeId()
    await filler.takeId()
    await younger.write('first')
    await younger.commit()
    for (let n = 0; n < 1500; n++) await filler.write('filler')
    await filler.commit()
    await older.write('second')
    await older.commit()
    const look = follower()
    const seen = [...(await look()), ...(await look())].filter((type) => type !== 'filler')
    expect(seen).toEqual(['first', 'second'])
  })

  test('a follower that is too far behind skips to the end, and tells what comes then', async () => {
    const follow = new EventFollower({ tx: '0', seq: '0' })
    await t.database.execute(sql`insert into events (type) select 'n' from generate_series(1, 5001) n`)
    expect(await follow.next(t.database)).toBeUndefined()
    await eventually(
      () => follow.next(t.database),
      (found) => found?.length === 0,
    )
    await inTransaction(t.database, async (db) => db.emit(anyEvent('then')))
    expect((await unseen(follow)).map((row) => row.type)).toEqual(['then'])
  })
})

describe('the reader of the process', () => {
  test('what was found and cannot be told counts as behind, however often the log is looked at', async () => {
    let isBroken = true
    const telling = async () => {
      if (isBroken) throw new Error('the rows could not be read')
    }
    const reader = await startEventReader(t.database, log, telling, nothingSkipped)
    await inTransaction(t.database, async (db) => db.emit(anyEvent('untold')))
    // Two looks and more: each of them alone would say that nothing is behind.
    await eventually(reader.lagMs, (lag) => lag > 2100)
    isBroken = false
    await eventually(reader.lagMs, (lag) => lag < 1000)
    await reader.stop()
  })

  test('a tick is told without any other news and before any poll', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const told: string[] = []
    const reader = await startEventReader(
      t.database,
      log,
      async (batch) => void told.push(...batch.map((row) => row.type)),
      nothingSkipped,
    )
    vi.useRealTimers()
    await inTransaction(t.database, async (db) => db.emit(anyEvent('tick'), 'tick'))
    await eventually(
      () => told,
      (all) => all.length > 0,
    )
    expect(told).toEqual(['tick'])
    await reader.stop()
  })

  test('a tick alone wakes nobody who tells at once, with other news it does, also out of a savepoint', async () => {
    const heard: string[] = []
    const offs = (['events', 'ticks'] as const).map((channel) =>
      t.database.signals.on(channel, () => heard.push(channel)),
    )
    const emitAll = (...urgencies: Urgency[]) =>
      inTransaction(t.database, (db) =>
        inSavepoint(db, async (db) => {
          for (const urgency of urgencies) db.emit(anyEvent('one'), urgency)
        }),
      )
    await emitAll('tick')
    expect(heard.splice(0)).toEqual(['ticks'])
    await emitAll('tick', 'now')
    expect(heard.toSorted()).toEqual(['events', 'ticks'])
    offs.forEach((off) => off())
  })

  test('a batch that could not be told is told again, and the position waits for it', async () => {
    const told: string[][] = []
    let failures = 2
    const reader = await startEventReader(
      t.database,
      log,
      async (batch) => {
        if (failures-- > 0) throw new Error('the rows could not be read')
        told.push(batch.map((row) => row.type))
      },
      nothingSkipped,
    )
    const before = reader.position
    await inTransaction(t.database, async (db) => db.emit(anyEvent('once')))
    await eventually(
      () => failures,
      (left) => left < 2,
    )
    if (told.length === 0) expect(reader.position).toEqual(before)
    await eventually(
      () => told.flat(),
      (all) => all.length > 0,
    )
    await inTransaction(t.database, async (db) => db.emit(anyEvent('twice')))
    await eventually(
      () => told.flat(),
      (all) => all.includes('twice'),
    )
    expect(told.flat()).toEqual(['once', 'twice'])
    await reader.stop()
  })

  test('while a batch is being told the position stands before it: who drops out then gets it again', async () => {
    let during: string | undefined
    const reader = await startEventReader(
      t.database,
      log,
      async () => {
        during ??= formatCursor(reader.position)
      },
      nothingSkipped,
    )
    const before = formatCursor(reader.position)
    await inTransaction(t.database, async (db) => db.emit(anyEvent('one')))
    await eventually(
      () => during,
      (cursor) => cursor !== undefined,
    )
    expect(during).toBe(before)
    await eventually(
      () => formatCursor(reader.position),
      (cursor) => cursor !== before,
    )
    await reader.stop()
  })

  test('who was skipped hears of it, again when that failed, and then of what comes after', async () => {
    const told: string[] = []
    let failures = 1
    const reader = await startEventReader(
      t.database,
      log,
      async (batch) => void told.push(...batch.map((row) => row.type)),
      async () => {
        if (failures-- > 0) throw new Error('nobody could be told')
        told.push('skipped')
      },
    )
    await t.database.execute(sql`insert into events (type) select 'n' from generate_series(1, 5001) n`)
    await eventually(
      () => told,
      (all) => all.includes('skipped'),
    )
    await inTransaction(t.database, async (db) => db.emit(anyEvent('then')))
    await eventually(
      () => told,
      (all) => all.includes('then'),
    )
    expect(told.filter((type) => type !== 'n')).toEqual(['skipped', 'then'])
    await reader.stop()
  })

  test('it hears what another instance committed', async () => {
    const told: string[] = []
    const reader = await startEventReader(
      t.database,
      log,
      async (batch) => {
        told.push(...batch.map((row) => row.type))
      },
      nothingSkipped,
    )
    await inTransaction(t.openAgain(), async (db) => db.emit(anyEvent('from elsewhere')))
    await eventually(
      () => told,
      (all) => all.includes('from elsewhere'),
    )
    await reader.stop()
  })
})

describe('cursors', () => {
  test('a cursor that we wrote is read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        (tx, seq) => {
          const position = { tx: String(tx), seq: String(seq) }
          expect(parseCursor(formatCursor(position))).toEqual(position)
        },
      ),
    )
  })

  test.each([
    '',
    '.',
    '1',
    '1.',
    '.1',
    '-1.2',
    '1.2.3',
    ' 1.2',
    '1e3.2',
    '１.２',
    `${2n ** 64n}.1`,
    `1.${2n ** 63n}`,
    '99999999999999999999.9999999999999999999',
  ])('%j is no cursor of ours', (cursor) => {
    expect(parseCursor(cursor)).toBeUndefined()
  })

  /** The end of the log, once nothing that is written in other databases of the server holds it back. */
  const settledEnd = async () => {
    const ask = async () => {
      const from = await endOfLog(t.database)
      return { from, after: await typesSince(from, 10) }
    }
    return (await eventually(ask, ({ after }) => after.length === 0)).from
  }

  test('what came after a cursor is read in order, also what a slow transaction adds later', async () => {
    await inTransaction(t.database, async (db) => db.emit(anyEvent('known')))
    const from = await settledEnd()
    const slow = await writer()
    await slow.write('slow')
    await inTransaction(t.database, async (db) => db.emit(anyEvent('quick')))
    expect(await typesSince(from, 10)).toEqual(['quick'])
    await slow.commit()
    expect(await typesSince(from, 10)).toEqual(['slow', 'quick'])
  })

  const age = () => t.database.execute(sql`update events set created_at = app_now() - interval '2 days'`)

  test('a cursor that the log no longer reaches is too old', async () => {
    await inTransaction(t.database, async (db) => db.emit(anyEvent('yesterday')))
    const from = await settledEnd()
    await inTransaction(t.database, async (db) => db.emit(anyEvent('later that day')))
    await settledEnd()
    await age()
    await inTransaction(t.database, async (db) => db.emit(anyEvent('today')))
    await trimEvents(t.database)
    expect(await typesSince(from, 10)).toBe('too_old')
  })

  test('after days without an event the last cursor is still good', async () => {
    for (const type of ['friday', 'friday evening'])
      await inTransaction(t.database, async (db) => db.emit(anyEvent(type)))
    const from = await settledEnd()
    await age()
    await trimEvents(t.database)
    expect(await typesSince(from, 10)).toEqual([])
    await inTransaction(t.database, async (db) => db.emit(anyEvent('monday')))
    expect(await typesSince(from, 10)).toEqual(['monday'])
  })

  test('on a log that was emptied no cursor is good, not even the first one', async () => {
    const beginning = await endOfLog(t.database)
    await inTransaction(t.database, async (db) => db.emit(anyEvent('known')))
    const from = await settledEnd()
    await inTransaction(t.database, async (db) => db.emit(anyEvent('never told')))
    await t.database.execute(sql`delete from events`)
    expect([await typesSince(from, 10), await typesSince(beginning, 10)]).toEqual(['too_old', 'too_old'])
  })

  test('more than the limit are too many, as many as the limit are told', async () => {
    await inTransaction(t.database, async (db) => db.emit(anyEvent('known')))
    const from = await settledEnd()
    await t.database.execute(sql`insert into events (type) select 'n' from generate_series(1, 10)`)
    expect(await typesSince(from, 10)).toHaveLength(10)
    expect(await typesSince(from, 9)).toBe('too_many')
  })

  test('the first cursor of an empty log is good as long as nothing was forgotten', async () => {
    const from = await endOfLog(t.database)
    expect(await typesSince(from, 10)).toEqual([])
    await inTransaction(t.database, async (db) => db.emit(anyEvent('first')))
    expect(await typesSince(from, 10)).toEqual(['first'])
  })
})

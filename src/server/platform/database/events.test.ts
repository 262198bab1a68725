import { type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import type pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually, filled, forAllTests, including, not, testDatabase } from '#server/testing/test-app.ts'
import { type Database, inSavepoint, inTransaction, type Urgency } from './db.ts'
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
import { anyEvent } from '#server/testing/inputs/any-event.ts'

const log = createLog('silent')

const t = forAllTests(testDatabase)
const empty = () => t.sql`truncate events restart identity`
beforeEach(empty)

/** A separate transaction, controlled step by step. */
interface Writer {
  /** Assigns a transaction id, as the first write does. */
  takeId(): Promise<string>
  write(name: string): Promise<void>
  commit(): Promise<void>
  rollBack(): Promise<void>
}

async function writer(): Promise<Writer> {
  const client: pg.PoolClient = await t.database.pool.connect()
  await client.query('begin')
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how)
    client.release()
  }
  return {
    async takeId() {
      const { rows: found } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
      return found[0]?.id ?? ''
    },
    write: async (name) => void (await client.query('insert into events (type) values ($1)', [name])),
    commit: () => end('commit'),
    rollBack: () => end('rollback'),
  }
}

/** Waits until no older transaction is open on the server, where other tests run too. */
const settled = (id: string) =>
  eventually(
    () => t.sql<{ is: boolean }>`select ${id}::xid8 < pg_snapshot_xmin(pg_current_snapshot()) as is`,
    { 0: { is: true } },
  )

/** Reads the log, and returns the types of the rows that earlier calls have not returned. */
type Read = () => Promise<string[]>

const follower = (runOf?: () => SQL): Read => {
  const follow = new EventFollower({ tx: '0', seq: '0' }, runOf)
  return async () => (await readRows(follow)).map((row) => row.type)
}

async function readRows(follow: EventFollower): Promise<EventRow[]> {
  const found = await follow.next(t.database)
  if (!found) throw new Error('too many')
  return found
}

/** The types of the rows after a position, or the reason why there are none. */
async function typesSince(...[from, limit]: [Position, number]): Promise<string[] | string> {
  const found = await eventsSince(t.database, from, limit)
  return typeof found === 'string' ? found : found.map((row) => row.type)
}

const emit = (type: string) => inTransaction(t.database, async (db) => db.emit(anyEvent(type)))

const nothingSkipped = () => Promise.reject(new Error('skipped'))

/** The first obvious, but wrong way to read the log. */
const readerBySeq = (): Read => {
  let cursor = '0'
  return async () => {
    const found = await t.sql<{ seq: string; type: string }>`
      select seq::text, type from events where seq > ${cursor}::bigint order by events.seq`
    cursor = found.at(-1)?.seq ?? cursor
    return found.map((row) => row.type)
  }
}

/** The second one: only rows older than the oldest open transaction. */
const readerBySettledSeq = (): Read => {
  let cursor = '0'
  return async () => {
    const found = await t.sql<{ seq: string; type: string }>`select seq::text, type from events
           where seq > ${cursor}::bigint and tx < pg_snapshot_xmin(pg_current_snapshot())
           order by events.seq`
    cursor = found.at(-1)?.seq ?? cursor
    return found.map((row) => row.type)
  }
}

/** Commits the event that was written first last. */
async function lateCommit(read: Read): Promise<string[]> {
  const received: string[] = []
  const [first, second] = [await writer(), await writer()]
  await first.write('first')
  await second.write('second')
  await second.commit()
  received.push(...(await read()))
  await first.commit()
  received.push(...(await read()))
  return received
}

/** The transaction with the later id writes the earlier event, and commits last. */
async function lateId(read: Read): Promise<string[]> {
  const received: string[] = []
  const [older, younger] = [await writer(), await writer()]
  const olderId = await older.takeId()
  const youngerId = await younger.takeId()
  await younger.write('earlier')
  await older.write('later')
  await older.commit()
  await settled(olderId)
  received.push(...(await read()))
  await younger.commit()
  await settled(youngerId)
  received.push(...(await read()))
  return received
}

test('the follower reports what was written first and committed last; a reader by seq loses it', async () => {
  expect(await lateCommit(follower())).toEqual(['second', 'first'])
  await empty()
  expect(await lateCommit(readerBySeq())).toEqual(['second'])
})

test('the follower reports the earlier event of a later id; a reader of settled seqs loses it', async () => {
  expect(await lateId(follower())).toEqual(['later', 'earlier'])
  await empty()
  expect(await lateId(readerBySettledSeq())).toEqual(['later'])
})

test('an open transaction of somebody else holds nothing back', async () => {
  const read = follower()
  const slow = await writer()
  await slow.takeId()
  for (const name of ['one', 'two', 'three']) {
    await emit(name)
    expect(await read()).toEqual([name])
    expect(await read()).toEqual([])
  }
  await slow.write('at last')
  await slow.commit()
  expect(await read()).toEqual(['at last'])
  expect(await read()).toEqual([])
})

test('the position waits for the open transaction, and forgets what is settled', async () => {
  const follow = new EventFollower({ tx: '0', seq: '0' })
  const slow = await writer()
  await slow.takeId()
  await emit('quick')
  await follow.next(t.database)
  expect(follow.position).toEqual({ tx: '0', seq: '0' })
  await slow.commit()
  const [quick] = await t.sql<{ tx: string; seq: string }>`select tx::text, seq::text from events`
  await settled(quick?.tx ?? '')
  await follow.next(t.database)
  expect(follow.position).toEqual(quick)
})

test('an event is delivered whose transaction has an id that was given before a crash', async () => {
  let run = 'first'
  const read = follower(() => sql`${run}::text`)
  const [slow, undone] = [await writer(), await writer()]
  await slow.takeId()
  const id = await undone.takeId()
  await undone.rollBack()
  await emit('before')
  expect(await read()).toEqual(['before'])
  // The id of what was never written is free again.
  run = 'after the crash'
  await t.sql`insert into events (type, tx) values ('after', ${id}::xid8)`
  expect(await read()).toEqual(['after'])
  expect(await read()).toEqual([])
  await slow.commit()
})

test('an event that was rolled back is neither delivered nor waited for', async () => {
  const read = follower()
  const failing = inTransaction(t.database, async (db) => {
    await db.execute(sql`insert into events (type) values ('never')`)
    db.emit(anyEvent('never either'))
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  await emit('after')
  expect(await read()).toEqual(['after'])
})

describe('many writers at once', () => {
  const writers = 16
  const each = 60
  const conversations = 5

  /** Deterministic, so that the load is the same in every run. */
  const scramble = (n: number) => ((n * 2_654_435_761) >>> 16) % 1000

  async function write(database: Database, number: number): Promise<void> {
    for (let n = 0; n < each; n++) {
      const chance = scramble(number * each + n)
      const conversation = (chance % conversations) + 1
      await inTransaction(database, async (db) => {
        // The transaction id is assigned long before the seq, as when a message is written before its event.
        await db.execute(sql`select pg_current_xact_id()`)
        await db.execute(sql`select pg_advisory_xact_lock(${conversation})`)
        await db.execute(
          sql`insert into events (type, conversation_id, data) values ('load', ${conversation},
            jsonb_build_object('writer', ${number}::int, 'n', ${n}::int, 'order', nextval('load_order')))`,
        )
        // Keeps the transaction open while others continue.
        if (chance % 3 === 0) await db.execute(sql`select pg_sleep(${(chance % 4) / 1000}::float8)`)
      })
    }
  }

  test('the follower misses nothing, doubles nothing, and keeps the order of each conversation', async () => {
    await t.sql`create sequence load_order`
    const pools = [t.openAgain(), t.openAgain()] as const
    const stranger = await writer()
    await stranger.takeId()
    const follow = new EventFollower(await endOfLog(t.database))
    const received: EventRow[] = []
    let isWriting = true
    const reading = (async () => {
      while (isWriting) received.push(...(await readRows(follow)))
    })()
    await Promise.all(
      Array.from({ length: writers }, (_, number) => write(number % 2 === 0 ? pools[0] : pools[1], number)),
    )
    isWriting = false
    await reading
    received.push(...(await readRows(follow)))
    const names = received.map((row) => `${String(row.data?.['writer'])}:${String(row.data?.['n'])}`)
    expect(names).toHaveLength(writers * each)
    expect(new Set(names).size).toBe(writers * each)
    for (let conversation = 1; conversation <= conversations; conversation++) {
      const orders = received
        .filter((row) => row.conversationId === conversation)
        .map((row) => Number(row.data?.['order']))
      expect(orders).toEqual(orders.toSorted((a, b) => a - b))
    }
    // All of it was delivered during the stranger's transaction, which delays only the position.
    expect(follow.position.seq).toBe('0')
    await stranger.commit()
    // Transactions in other databases of the server may delay the position a little longer.
    await eventually(
      async () => ({ more: await readRows(follow), seq: follow.position.seq }),
      ({ more, seq }) => more.length === 0 && seq !== '0',
    )
  })

  test.each([8, 95, 996])('numbers are ordered as numbers, also past %i', async (start) => {
    await t.sql`select setval('events_seq_seq', ${start - 1})`
    const [from] = await t.sql<{ tx: string; seq: string }>`
      insert into events (type) values ('known') returning tx::text, seq::text`
    if (!from) throw new Error('not written')
    const read = follower()
    expect(await read()).toEqual(['known'])
    await t.sql`insert into events (type) select 'n' || n from generate_series(1, 12) n`
    const names = Array.from({ length: 12 }, (_, n) => `n${n + 1}`)
    expect(await typesSince(from, 100)).toEqual(names)
    expect(await read()).toEqual(names)
    expect(await read()).toEqual([])
    await t.sql`insert into events (type) values ('next')`
    expect(await read()).toEqual(['next'])
  })

  test('a follower that is thousands behind catches up without a gap', async () => {
    await t.sql`insert into events (type) select 'n' || n from generate_series(1, 2500) n`
    const read = follower()
    const received = [...(await read()), ...(await read())]
    expect(received).toEqual(Array.from({ length: 2500 }, (_, n) => `n${n + 1}`))
  })

  test('the second event of a conversation never precedes its first, whatever came between', async () => {
    const [older, filler, younger] = [await writer(), await writer(), await writer()]
    await older.takeId()
    await filler.takeId()
    await younger.write('first')
    await younger.commit()
    for (let n = 0; n < 1500; n++) await filler.write('filler')
    await filler.commit()
    await older.write('second')
    await older.commit()
    const read = follower()
    const received = [...(await read()), ...(await read())].filter((type) => type !== 'filler')
    expect(received).toEqual(['first', 'second'])
  })
})

test('an event that cannot be delivered counts as lag, however often the log is read', async () => {
  let isBroken = true
  const onRows = async () => {
    if (isBroken) throw new Error('the rows could not be read')
  }
  const reader = await startEventReader(t.database, log, onRows, nothingSkipped)
  await emit('untold')
  // Longer than two reads, each of which is successful on its own.
  await eventually(reader.lagMs, (lag) => lag > 2100)
  isBroken = false
  await eventually(reader.lagMs, (lag) => lag < 1000)
  await reader.stop()
})

/** Reads the types of events into `delivered`. */
const readInto = (delivered: string[], onSkipped: () => Promise<void> = nothingSkipped) =>
  startEventReader(
    t.database,
    log,
    async (batch) => void delivered.push(...batch.map((row) => row.type)),
    onSkipped,
  )

test('a tick is reported without any other news and before any poll', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const delivered: string[] = []
  const reader = await readInto(delivered)
  vi.useRealTimers()
  await inTransaction(t.database, async (db) => db.emit(anyEvent('tick'), 'tick'))
  await eventually(() => delivered, filled)
  expect(delivered).toEqual(['tick'])
  await reader.stop()
})

test('a tick alone does not wake the reader at once, with others it does, and in a savepoint', async () => {
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

test('a batch that could not be reported is reported again, and the position waits for it', async () => {
  const delivered: string[][] = []
  let failures = 2
  const reader = await startEventReader(
    t.database,
    log,
    async (batch) => {
      if (failures-- > 0) throw new Error('the rows could not be read')
      delivered.push(batch.map((row) => row.type))
    },
    nothingSkipped,
  )
  const before = reader.position
  await emit('once')
  await eventually(
    () => failures,
    (left) => left < 2,
  )
  if (delivered.length === 0) expect(reader.position).toEqual(before)
  await eventually(() => delivered.flat(), filled)
  await emit('twice')
  await eventually(() => delivered.flat(), including('twice'))
  expect(delivered.flat()).toEqual(['once', 'twice'])
  await reader.stop()
})

test('while a batch is being reported the position is before it, for whoever drops out then', async () => {
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
  await emit('one')
  await eventually(() => during, not(undefined))
  expect(during).toBe(before)
  await eventually(() => formatCursor(reader.position), not(before))
  await reader.stop()
})

test('who was skipped hears of it, again when that failed, and then of what comes after', async () => {
  const delivered: string[] = []
  let failures = 1
  const reader = await readInto(delivered, async () => {
    if (failures-- > 0) throw new Error('the delivery failed')
    delivered.push('skipped')
  })
  await t.sql`insert into events (type) select 'n' from generate_series(1, 5001) n`
  await eventually(() => delivered, including('skipped'))
  await emit('then')
  await eventually(() => delivered, including('then'))
  expect(delivered.filter((type) => type !== 'n')).toEqual(['skipped', 'then'])
  await reader.stop()
})

test('what waits for an older transaction is skipped once', async () => {
  const delivered: string[] = []
  const older = await t.openAgain().pool.connect()
  await older.query('begin')
  await older.query('select pg_current_xact_id()')
  const reader = await readInto(delivered, async () => void delivered.push('skipped'))
  await t.sql`insert into events (type) select 'n' from generate_series(1, 5001) n`
  await eventually(() => delivered, including('skipped'))
  for (const type of ['then', 'and then']) {
    await emit(type)
    await eventually(() => delivered, including(type))
  }
  await older.query('commit')
  older.release()
  await emit('at last')
  await eventually(() => delivered, including('at last'))
  expect(delivered).toEqual(['skipped', 'then', 'and then', 'at last'])
  await reader.stop()
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
  ])('%j is not a valid cursor', (cursor) => {
    expect(parseCursor(cursor)).toBeUndefined()
  })

  /** The end of the log, once transactions in other databases of the server no longer delay it. */
  const settledEnd = async () => {
    const ask = async () => {
      const from = await endOfLog(t.database)
      return { from, after: await typesSince(from, 10) }
    }
    return (await eventually(ask, ({ after }) => after.length === 0)).from
  }

  test('what came after a cursor is read in order, also what a slow transaction adds later', async () => {
    await emit('known')
    const from = await settledEnd()
    const slow = await writer()
    await slow.write('slow')
    await emit('quick')
    expect(await typesSince(from, 10)).toEqual(['quick'])
    await slow.commit()
    expect(await typesSince(from, 10)).toEqual(['slow', 'quick'])
  })

  const age = () => t.sql`update events set created_at = app_now() - interval '2 days'`

  test('a cursor that the log no longer reaches is too old', async () => {
    await emit('yesterday')
    const from = await settledEnd()
    await emit('later that day')
    await settledEnd()
    await age()
    await emit('today')
    await trimEvents(t.database)
    expect(await typesSince(from, 10)).toBe('too_old')
  })

  test('after days without an event the last cursor is still good', async () => {
    for (const type of ['friday', 'friday evening']) await emit(type)
    const from = await settledEnd()
    await age()
    await trimEvents(t.database)
    expect(await typesSince(from, 10)).toEqual([])
    await emit('monday')
    expect(await typesSince(from, 10)).toEqual(['monday'])
  })

  test('no cursor is good on a log that was emptied, not even the first one', async () => {
    const beginning = await endOfLog(t.database)
    await emit('known')
    const from = await settledEnd()
    await emit('never told')
    await t.sql`delete from events`
    expect([await typesSince(from, 10), await typesSince(beginning, 10)]).toEqual(['too_old', 'too_old'])
  })

  test('more than the limit are too many, as many as the limit are reported', async () => {
    await emit('known')
    const from = await settledEnd()
    await t.sql`insert into events (type) select 'n' from generate_series(1, 10)`
    expect(await typesSince(from, 10)).toHaveLength(10)
    expect(await typesSince(from, 9)).toBe('too_many')
  })

  test('the first cursor of an empty log is good as long as nothing was forgotten', async () => {
    const from = await endOfLog(t.database)
    expect(await typesSince(from, 10)).toEqual([])
    await emit('first')
    expect(await typesSince(from, 10)).toEqual(['first'])
  })
})

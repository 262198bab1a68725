import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { Worker } from '#server/platform/work/worker.ts'
import { webhookInbox } from '#server/schema/gateway.ts'
import { atNight, testAtNight } from '#server/testing/nightly.ts'
import { testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { claimHeads, largestBatch } from './claims.ts'
import { startInboxWorker } from './inbox-worker.ts'

let t: TestDatabase
let instanceId: number
let running: Worker[] = []

beforeEach(async () => {
  t = await testDatabase()
  instanceId = await testNumber(t.database)
})
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop()))
  running = []
  await t.close()
})

/** Stores ringing calls whose id names the lane and the position of the row within it. */
async function store(lanes: string[], { ofUs = true } = {}): Promise<void> {
  const values = lanes.map((lane, n) => ({
    instanceId: ofUs ? instanceId : null,
    instanceName: 'loja1',
    event: 'call',
    dedupeKey: `${lane}-${n}-${ofUs}`,
    lane: `loja1:${lane}`,
    payload: {
      event: 'call',
      instance: 'loja1',
      data: {
        id: `${lane} ${n}`,
        from: '5511987654321@s.whatsapp.net',
        status: 'offer',
        date: '2026-11-01T12:00:00Z',
      },
    },
  }))
  for (let at = 0; at < values.length; at += 1000)
    await t.database.insert(webhookInbox).values(values.slice(at, at + 1000))
}

/**
 * Processes everything one by one on `instances` connections.
 * @param offered collects what batches tried first, in order
 * @returns what was handled, in order
 */
async function workOff(count: number, instances = 1, offered: string[] = []): Promise<string[]> {
  const handled: string[] = []
  const done = new Promise<void>((resolve) => {
    const handlers = {
      one: async (_db: unknown, _instanceId: number, event: { callId?: string }) => {
        handled.push(event.callId ?? '')
        if (handled.length === count) resolve()
      },
      many: async (_db: unknown, _instanceId: number, events: { callId?: string }[]) => {
        offered.push(...events.map(({ callId }) => callId ?? ''))
        return events.map(() => false)
      },
    }
    const databases = [t.database, ...Array.from({ length: instances - 1 }, () => t.openAgain())]
    running = databases.map((database) => startInboxWorker(database, createLog('silent'), handlers as never))
  })
  await done
  return handled
}

const repeated = (lane: string, n: number) => Array.from({ length: n }, () => lane)
const numbersOf = (handled: string[], lane: string) =>
  handled.filter((id) => id.startsWith(`${lane} `)).map((id) => Number(id.split(' ')[1]))

test('a long lane does not hold up those who come behind it', async () => {
  const others = Array.from({ length: 200 }, (_, n) => `c${n}`)
  const flood = atNight(1000, 400)
  await store([...repeated('flood', flood), ...others])
  const handled = await workOff(flood + 200)
  const lastOther = handled.findLastIndex((id) => !id.startsWith('flood'))
  expect(numbersOf(handled.slice(0, lastOther), 'flood').length).toBeLessThan(200)
  expect(numbersOf(handled, 'flood')).toEqual(Array.from({ length: flood }, (_, n) => n))
})

test('rows kept aside for an unknown number do not hold up a lane', async () => {
  await store(
    Array.from({ length: atNight(3000, 1000) }, (_, n) => `a${n}`),
    { ofUs: false },
  )
  const flood = atNight(900, 400)
  await store([...repeated('flood', flood), ...Array.from({ length: 60 }, (_, n) => `b${n}`)])
  const handled = await workOff(flood + 60)
  expect(handled.findLastIndex((id) => id.startsWith('b'))).toBeLessThan(200)
})

test('a long lane keeps its order among four others, worked off by two instances', async () => {
  const lanes = ['one', 'two', 'three', 'four', 'flood']
  const count = atNight(1500, 700)
  await store(Array.from({ length: count }, (_, n) => lanes[n % 7] ?? 'flood'))
  const handled = await workOff(count, 2)
  for (const lane of lanes) {
    const numbers = numbersOf(handled, lane)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  expect(new Set(handled).size).toBe(count)
})

test('a row that a batch declines is not offered again by the batches that run beside it', async () => {
  await store(Array.from({ length: 600 }, (_, n) => `c${n}`))
  const offered: string[] = []
  await workOff(600, 1, offered)
  expect(new Set(offered).size).toBe(600)
  expect(offered.length).toBe(600)
})

test('lanes whose heads wait for another try hide none of those behind them', async () => {
  const failed = Array.from({ length: 300 }, (_, n) => `a${n}`)
  await store(failed)
  await t.database.update(webhookInbox).set({ attempts: 1, notBefore: new Date(Date.now() + 600_000) })
  await store(['b'])
  expect(await workOff(1)).toEqual(['b 0'])
})

testAtNight(
  'rows that an instance has claimed and does nothing with are soon those of another one',
  async () => {
    await store(['a'])
    const frozen = inTransaction(t.openAgain(), async (db) => {
      expect(await claimHeads(db, '', [])).toHaveLength(1)
      // As a process that is stopped, or a machine that is gone, keeps its transaction open.
      await setTimeout(20_000)
      await db.execute(sql`select`)
    }).catch((error: unknown) => error)
    await setTimeout(500)
    expect(await workOff(1)).toEqual(['a 0'])
    // The database ended it before its own end.
    expect(await frozen).toBeInstanceOf(Error)
  },
)

test('a claim reads the heads that it takes, not the queue behind them', async () => {
  // The planner knows the queue as it mostly is: a few rows, among thousands that are done.
  await store(Array.from({ length: 2000 }, (_, n) => `done${n}`))
  await t.sql`update webhook_inbox set processed_at = now()`
  await t.sql`vacuum analyze webhook_inbox`
  await store(Array.from({ length: 3000 }, (_, n) => `new${n}`))
  const read = await inTransaction(t.database, async (db) => {
    const before = await rowsRead(db)
    expect(await claimHeads(db, '', [])).toHaveLength(largestBatch)
    return (await rowsRead(db)) - before
  })
  expect(read).toBeLessThan(10 * largestBatch)
})

test('so does one that was planned while there was nothing to claim', async () => {
  // Of an empty table the planner keeps the plan that reads all of it, until it is analyzed again.
  await t.sql`vacuum analyze webhook_inbox`
  await inTransaction(t.database, async (db) => {
    for (let n = 0; n < 8; n++) await claimHeads(db, '', [])
  })
  await store(Array.from({ length: 3000 }, (_, n) => `new${n}`))
  const read = await inTransaction(t.database, async (db) => {
    const before = await rowsRead(db)
    expect(await claimHeads(db, '', [])).toHaveLength(largestBatch)
    return (await rowsRead(db)) - before
  })
  expect(read).toBeLessThan(10 * largestBatch)
})

/** How many rows of the inbox this connection has read. */
async function rowsRead(db: Db): Promise<number> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables
         where relname = 'webhook_inbox'`,
  )
  return row?.n ?? 0
}

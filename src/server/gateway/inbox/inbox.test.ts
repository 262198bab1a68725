import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { webhookInbox } from '#server/schema/gateway.ts'
import { eventually, filled, testDatabase, type TestDatabase, testNumber } from '#server/testing/test-app.ts'
import { createInboxWriter } from './inbox.ts'

let t: TestDatabase
let instanceId: number

beforeEach(async () => {
  t = await testDatabase()
  instanceId = await testNumber(t.database)
})
afterEach(() => t.close())

const rowOf = (dedupeKey: string, payload: unknown = { of: dedupeKey }) => ({
  instanceId,
  instanceName: 'loja1',
  event: 'call',
  dedupeKey,
  lane: `loja1:${dedupeKey}`,
  payload,
})
const webhookOf = (key: string, payload?: unknown) => ({ ...rowOf(key, payload), eventsByItem: [[]] })

/** The first one is written alone; the others arrive meanwhile, and are written together. */
function storeTogether(...keys: string[]): Promise<number[]> {
  const writer = createInboxWriter(t.database)
  return Promise.all(['first', ...keys].map((key) => writer.store(webhookOf(key))))
}

test('bodies that are written together have ids in the order of their arrival', async () => {
  expect(await storeTogether('z', 'm', 'z', 'a')).toEqual([1, 1, 1, 0, 1])
  const stored = await t.sql<{ key: string }>`select dedupe_key as key from webhook_inbox order by id`
  expect(stored.map(({ key }) => key)).toEqual(['first', 'z', 'm', 'a'])
})

test('a body is stored as it came', async () => {
  const payload = {
    text: 'aspas " e \\ barra, {chaves} e \n linhas, 📱',
    list: [1, null, [true]],
    none: null,
  }
  const writer = createInboxWriter(t.database)
  await Promise.all([writer.store(webhookOf('a', [])), writer.store(webhookOf('b', payload))])
  const stored = await t.database
    .select({ payload: webhookInbox.payload })
    .from(webhookInbox)
    .orderBy(webhookInbox.id)
  expect(stored).toEqual([{ payload: [] }, { payload }])
})

test('two instances that receive the same bodies in different orders never wait for each other', async () => {
  let storing: Promise<number[]> | undefined
  await inTransaction(t.database, async (other) => {
    await other.insert(webhookInbox).values(rowOf('a'))
    storing = storeTogether('z', 'a')
    await eventually(
      () =>
        t.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      filled,
    )
    // Nothing has been written after 'a' yet, although 'z' arrived before it.
    await other.execute(sql`set local lock_timeout = '500ms'`)
    await other.insert(webhookInbox).values(rowOf('z'))
  })
  expect(await storing).toEqual([1, 0, 0])
})

import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { person } from '#server/testing/test-person.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { handleBatch } from './batch.ts'

// A statement more for each message is a good part of what the database does all day.

const t = forAllTests(testDatabaseWithNumber)

/** How many statements the work takes, BEGIN and COMMIT included; notifications are of no transaction. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const texts = spy.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'string' ? query : String((query as { text: unknown }).text),
  )
  spy.mockRestore()
  return texts.filter((text) => !/pg_notify|^listen/i.test(text)).length
}

const alone = (event: GatewayEvent) =>
  countStatements(() => inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event)))
const together = (events: GatewayEvent[]) =>
  countStatements(async () => {
    const done = await inTransaction(t.database, (db) => handleBatch(db, t.instanceId, events))
    expect(done.every(Boolean)).toBe(true)
  })

test('a message of somebody new', async () => {
  expect(await alone(person().writes('oi', 30))).toBe(15)
})

test('a message of a known contact', async () => {
  const p = person()
  await alone(p.writes('oi', 30))
  expect(await alone(p.writes('bom dia', 30.1))).toBe(10)
  expect(await together([p.writes('tudo bem?', 30.2)])).toBe(10)
  expect(await alone(p.writes('oi', 30))).toBe(3)
})

test('fifty messages of known contacts', async () => {
  const all = Array.from({ length: 50 }, person)
  for (const p of all) await alone(p.writes('oi', 30))
  expect(await together(all.map((p) => p.writes('bom dia', 30.1)))).toBe(10)
})

test('the echo of a message that is being sent', async () => {
  const p = person()
  await alone(p.writes('oi', 29))
  const [{ id } = { id: 0 }] = await t.sql<{ id: number }>`select max(id) as id from conversations`
  await inTransaction(t.database, async (db) => {
    const conversation = await lockConversation(db, id)
    if (conversation) await insertOutgoing(db, conversation, { content: 'pois não' })
  })
  await t.sql`update outbox set state = 'sending', tries = 1, first_attempt_at = app_now()`
  expect(await alone(p.byPhone('pois não', 30))).toBe(11)
  expect(await alone(p.byPhone('pois não', 30))).toBe(3)
  expect(await alone(p.ack('pois não', 'delivered'))).toBe(6)
})

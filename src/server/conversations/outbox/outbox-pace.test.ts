import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { person } from '#server/testing/test-person.ts'
import { claimMessage } from './outbox-claim.ts'
import { recordHealth, reserveSlot, type SendSlot } from './outbox-pace.ts'

const t = forAllTests(testDatabaseWithNumber)

/** A client writes, who is a new one unless given, and is answered. @returns the message's id */
function answered(priority: number, client = person()): Promise<number> {
  return inTransaction(t.database, async (db) => {
    await handleGatewayEvent(db, t.instanceId, client.writes('oi', 30))
    const [row] = await rows<{ id: number }>(db, sql`select max(id)::int as id from conversations`)
    const conversation = await lockConversation(db, row?.id ?? 0)
    if (!conversation) throw new Error('no conversation')
    return (await insertOutgoing(db, conversation, { content: 'olá', priority })).id
  })
}
const automaticAt = (time: string) =>
  t.sql`update evolution_api_config set next_automatic_at = now() + ${time}::interval`
const claimed = () => claimMessage(t.database, 90_000)

test('an automatic text waits until its number may send one, a person’s message does not', async () => {
  await automaticAt('1 hour')
  const automatic = await answered(outboxPriorities.automatic)
  const written = await answered(outboxPriorities.person)
  expect(await claimMessage(t.database, 90_000)).toMatchObject({ messageId: written })
  expect(await claimMessage(t.database, 90_000)).toBeUndefined()
  await automaticAt('-1 second')
  expect(await claimMessage(t.database, 90_000)).toMatchObject({ messageId: automatic })
})

test('what was decided for a client before an answer goes before it, and at once', async () => {
  await automaticAt('1 hour')
  const client = person()
  const automatic = await answered(outboxPriorities.automatic, client)
  const written = await answered(outboxPriorities.person, client)
  expect(await claimed()).toMatchObject({ messageId: automatic })
  expect(await claimed()).toBeUndefined()
  await t.sql`update outbox set state = 'sent' where message_id = ${automatic}`
  expect(await claimed()).toMatchObject({ messageId: written })
})

test('a client gets what was decided in a conversation that has ended before what comes after', async () => {
  const client = person()
  const goodbye = await answered(outboxPriorities.automatic, client)
  await t.sql`update conversations set status = 'completed', completed_at = app_now()
               where id = (select conversation_id from messages where id = ${goodbye})`
  const asked = await answered(outboxPriorities.automatic, client)
  const other = await answered(outboxPriorities.automatic)
  expect(await claimed()).toMatchObject({ messageId: goodbye })
  expect(await claimed()).toMatchObject({ messageId: other })
  expect(await claimed()).toBeUndefined()
  await t.sql`update outbox set state = 'sent' where message_id = ${goodbye}`
  expect(await claimed()).toMatchObject({ messageId: asked })
})

beforeEach(() =>
  gateway(`failures = 0, breaker_until = null, next_send_at = now(), next_automatic_at = now()`),
)

const gateway = (change: string) => t.database.execute(sql.raw(`update evolution_api_config set ${change}`))
const breaker = async () =>
  (
    await t.sql<{ failures: number; seconds: number | null }>`
      select failures, extract(epoch from breaker_until - now())::float8 as seconds
            from evolution_api_config`
  )[0]

/** Reserves slots concurrently. @returns those that were granted */
async function reserve(times: number, priority: number): Promise<SendSlot[]> {
  const calls = Array.from({ length: times }, () =>
    inTransaction(t.database, (db) => reserveSlot(db, { instanceId: t.instanceId, priority }, 90_000)),
  )
  return (await Promise.all(calls)).filter((slot) => slot !== undefined)
}

test('what people write gets a moment each, one after the other at the pace', async () => {
  const slots = await reserve(6, 0)
  expect(slots).toHaveLength(6)
  const waits = slots.map((slot) => slot.waitMs).toSorted((a, b) => a - b)
  const [first = 0, ...others] = waits
  expect(first).toBeLessThanOrEqual(0)
  // A tenth of a second each, less the time they spent waiting for the row lock.
  for (const [n, wait] of others.entries()) expect(wait).toBeLessThanOrEqual(100 * (n + 1))
})

test('of automatic texts that ask at the same moment one goes', async () => {
  const startMs = performance.now()
  const granted = [...(await reserve(6, 10)), ...(await reserve(3, 10))].length
  expect(granted).toBeGreaterThan(0)
  // The next one goes 0.7 to 1.3 seconds later, which may have passed on a busy machine.
  expect(granted).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startMs) / 700))
  expect(await reserve(1, 0)).toHaveLength(1)
})

test('while the breaker is open nobody goes, and then one goes as the probe', async () => {
  await gateway(`failures = 5, breaker_until = now() + interval '15 seconds'`)
  expect(await reserve(4, 0)).toEqual([])
  await gateway(`breaker_until = now()`)
  expect(await reserve(6, 0)).toMatchObject([{ isProbe: true }])
  expect(await reserve(6, 0)).toEqual([])
})

test('the probe closes the breaker, or opens it for another fifteen seconds', async () => {
  await gateway(`failures = 5, breaker_until = now()`)
  await reserve(1, 0)
  expect((await breaker())?.seconds).toBeGreaterThan(60)
  await recordHealth(t.database, { instanceId: t.instanceId, isProbe: true }, 'failing', 15_000)
  expect((await breaker())?.seconds).toBeLessThanOrEqual(18)
  await recordHealth(t.database, { instanceId: t.instanceId, isProbe: true }, 'well', 15_000)
  expect(await breaker()).toEqual({ failures: 0, seconds: null })
})

test('a success after four failures begins the count anew, and leaves the breaker closed', async () => {
  for (const isHealthy of [false, false, false, false, true, false])
    await recordHealth(
      t.database,
      { instanceId: t.instanceId, isProbe: false },
      isHealthy ? 'well' : 'failing',
      15_000,
    )
  expect(await breaker()).toEqual({ failures: 1, seconds: null })
})

test('a send from before it opened that fails during the probe lets no second one through', async () => {
  await gateway(`failures = 5, breaker_until = now()`)
  await reserve(1, 0)
  await recordHealth(t.database, { instanceId: t.instanceId, isProbe: false }, 'failing', 15_000)
  expect((await breaker())?.seconds).toBeGreaterThan(60)
})

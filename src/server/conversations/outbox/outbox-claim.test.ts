import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { outboxPriorities } from '#server/schema/conversations/outbox.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { person } from '#server/testing/test-person.ts'
import { claimMessage } from './outbox-claim.ts'

const t = forAllTests(testDatabaseWithNumber)

/** Answers a new client. @returns the message's id */
function answered(priority: number): Promise<number> {
  const client = person()
  return inTransaction(t.database, async (db) => {
    await handleGatewayEvent(db, t.instanceId, client.writes('oi', 30))
    const [row] = await rows<{ id: number }>(db, sql`select max(id)::int as id from conversations`)
    const conversation = await lockConversation(db, row?.id ?? 0)
    if (!conversation) throw new Error('no conversation')
    return (await insertOutgoing(db, conversation, { content: 'olá', priority })).id
  })
}

test('an automatic text waits until its number may send one, a person’s message does not', async () => {
  const automaticAt = (time: string) =>
    t.sql`update evolution_api_config set next_automatic_at = now() + ${time}::interval`
  await automaticAt('1 hour')
  const automatic = await answered(outboxPriorities.automatic)
  const written = await answered(outboxPriorities.person)
  expect(await claimMessage(t.database, 90_000)).toMatchObject({ messageId: written })
  expect(await claimMessage(t.database, 90_000)).toBeUndefined()
  await automaticAt('-1 second')
  expect(await claimMessage(t.database, 90_000)).toMatchObject({ messageId: automatic })
})

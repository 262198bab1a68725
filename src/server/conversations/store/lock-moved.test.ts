import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'
import { lockMessage } from './lock.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

test('a message that is moved while its conversation is awaited is locked with its new one', async () => {
  const [from, to] = [await given.conversation(t, chefe), await given.conversation(t, chefe)]
  const [message] = await t.sql<{ id: number }>`select id from messages where conversation_id = ${from.id}`
  const id = message?.id ?? 0
  const [, acted] = await inTurn(
    t.database,
    sql`select from conversations where id = ${from.id} for update`,
    () =>
      inTransaction(t.database, async (db) => {
        await db.execute(
          sql`select from conversations where id in (${from.id}, ${to.id}) order by id for update`,
        )
        await db.execute(sql`update messages set conversation_id = ${to.id} where id = ${id}`)
      }),
    () =>
      inTransaction(t.database, async (db) => {
        const locked = await lockMessage(db, id)
        const free = await t.sql`select from conversations where id = ${to.id} for update skip locked`
        return [locked?.conversationId, free.length]
      }),
  )
  expect(acted).toMatchObject({ value: [to.id, 0] })
})

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { person } from '#server/testing/test-person.ts'
import { handleBatch } from './batch.ts'

const t = forAllTests(testDatabaseWithNumber)

test('a statement of the way of a message is planned for any message, not for each', async () => {
  const one = t.openAgain()
  one.pool.options.max = 1
  const clients = Array.from({ length: 12 }, person)
  for (const minute of [1, 2, 3])
    for (const client of clients)
      await inTransaction(one, async (db) => {
        const event = client.writes(`oi ${minute}`, minute)
        const [isDone] = await handleBatch(db, t.instanceId, [event])
        if (!isDone) await handleGatewayEvent(db, t.instanceId, event)
      })
  const planned = await rows<{ statement: string; custom: number }>(
    one,
    sql`select left(regexp_replace(statement, '\\s+', ' ', 'g'), 300) as statement,
               custom_plans::int as custom
          from pg_prepared_statements where generic_plans = 0 and custom_plans > 10;`,
  )
  expect(planned).toEqual([])
})

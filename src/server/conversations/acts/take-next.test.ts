import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { given } from '#server/testing/given.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))

/** Waits until somebody waits for what the transaction has locked. */
async function untilAwaited(db: Tx): Promise<void> {
  const [own] = await rows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`)
  const pid = own?.pid ?? 0
  await eventually(
    () => t.sql`select pid from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`,
    (waiting) => waiting.length > 0,
  )
}

test('taking the next one leaves what waits no longer to those who write rows that refer to it', async () => {
  const chefe = await t.signIn('admin', 'chefe')
  const ana = await t.signIn('operator', 'ana')
  const [oldest, next] = [await given.conversation(t, chefe), await given.conversation(t, chefe)]
  await t.sql`update conversations set started_at = started_at - interval '1 hour' where id = ${oldest.id}`
  // A transaction that waited here would have what the other one waits for.
  const refer = (db: Tx, id: number) =>
    db.execute(sql`select from conversations where id = ${id} for key share nowait`)
  const isTaken = Promise.withResolvers<void>()
  // Rows that refer to both are written, as the figures of the reports are.
  const referring = inTransaction(t.database, async (db) => {
    await refer(db, next.id)
    await isTaken.promise
    await untilAwaited(db)
    await refer(db, oldest.id)
  })
  let taken: ReturnType<typeof ana.request> | undefined
  // Somebody else takes the oldest one, and whoever takes the next one waits for it.
  await inTransaction(t.database, async (db) => {
    await db.execute(
      sql`update conversations set status = 'active', sub_status = 'OPERADOR',
                 assigned_user_id = ${chefe.userId} where id = ${oldest.id}`,
    )
    taken = ana.request('POST', '/api/conversations/take-next', {})
    await untilAwaited(db)
  })
  isTaken.resolve()
  await referring
  expect(await taken).toMatchObject({ status: 200, body: { conversation: { id: next.id } } })
})

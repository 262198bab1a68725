import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { companies } from '#server/schema/contacts/contacts.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { inTransaction, rows } from './db.ts'
import { statement } from './statement.ts'

const t = forAllTests(testDatabase)

const byName = statement<{ name: string }>()((db) =>
  db
    .select()
    .from(companies)
    .where(eq(companies.name, sql.placeholder('name'))),
)

test('a statement inside a transaction sees what the transaction wrote, and nobody else does', async () => {
  await expect(
    inTransaction(t.database, async (db) => {
      await db.insert(companies).values({ name: 'Padaria' })
      expect(await byName(db, { name: 'Padaria' })).toMatchObject([{ name: 'Padaria', isActive: true }])
      expect(await byName(t.database, { name: 'Padaria' })).toEqual([])
      await db.transaction(async (inside) => {
        await inside.insert(companies).values({ name: 'Oficina' })
        expect(await byName(inside, { name: 'Oficina' })).toHaveLength(1)
      })
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  expect(await byName(t.database, { name: 'Padaria' })).toEqual([])
  expect(await byName(t.database, { name: 'Oficina' })).toEqual([])
})

test('its text is built once a connection, and its plan once too', async () => {
  const one = t.openAgain()
  one.pool.options.max = 1
  const build = vi.fn((db: Parameters<typeof byName>[0]) =>
    db
      .select({ id: companies.id })
      .from(companies)
      .where(sql`${companies.id} = any(${sql.placeholder('ids')})`),
  )
  const byIds = statement<{ ids: number[] }>()(build)
  for (let n = 0; n < 4; n++)
    await inTransaction(one, async (db) => {
      await byIds(db, { ids: Array.from({ length: n }, (_, id) => id) })
      await byIds(db, { ids: [n] })
    })
  expect(build).toHaveBeenCalledTimes(1)
  const kept = await rows<{ n: number }>(
    one,
    sql`select (generic_plans + custom_plans)::int as n
          from pg_prepared_statements where statement like '%any(%';`,
  )
  expect(kept).toEqual([{ n: 8 }])
})

import fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fold } from '#shared/text/fold.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { folded } from '#server/schema/columns.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { inTransaction, rows } from './db.ts'
import { foldedContains } from './folded.ts'

const t = forAllTests(testDatabase)

const names = [
  'José',
  'Győr',
  'Žižek',
  'İstanbul',
  'Şükrü',
  'Đà Nẵng',
  'Ünsal',
  'Мария Ёлкина',
  '김하늘',
  'हिन्दी',
  'اهلا',
]

/** Letters that Unicode has had for long: Node and the server may know different versions. */
const letters = [
  ' -~',
  '\u00a0-\u024f',
  '\u0300-\u036f',
  '\u0400-\u04ff',
  '\u0900-\u097f',
  '\u1e00-\u1eff',
  '\u4e00-\u9fff',
  '\uac00-\ud7a3',
].join('')

test('the database folds a text as the pages do', async () => {
  const texts = [
    ...names,
    ...fc.sample(fc.stringMatching(new RegExp(`^[${letters}]*$`, 'u')), { numRuns: 2000, seed: 20251125 }),
  ]
  const found = await t.sql<{ text: string; folded: string }>`
    select text, ${folded(sql`text`)} as folded from unnest(${sql.param(texts)}::text[]) as text`
  expect(found).toHaveLength(texts.length)
  const differing = found.filter((row) => row.folded !== fold(row.text))
  expect(differing).toEqual([])
})

test.each(names.flatMap((name) => [name, name.normalize('NFD')]))(
  '%s is found as it is written, in capitals, and composed or not',
  async (name) => {
    await t.database.insert(contacts).values({ name })
    const [row] = await t.database
      .select({ folded: contacts.nameFolded })
      .from(contacts)
      .where(sql`${contacts.name} = ${name}`)
    for (const words of [name, name.toUpperCase(), name.normalize('NFC'), name.normalize('NFD')])
      expect(row?.folded).toContain(fold(words))
  },
)

test('a name is found by an index', async () => {
  const plan = await inTransaction(t.database, async (db) => {
    // A few rows are read faster one by one.
    await db.execute(sql`set local enable_seqscan = off`)
    return rows<{ 'QUERY PLAN': string }>(
      db,
      sql`explain select id from contacts where ${foldedContains(contacts.nameFolded, 'Žižek')}`,
    )
  })
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('contacts_name_folded')
})

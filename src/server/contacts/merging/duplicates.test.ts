import { expect, onTestFinished, test } from 'vitest'
import { type Statement, watchStatements } from '#server/testing/database/statements.ts'
import { testApp } from '#server/testing/test-app.ts'
import { listDuplicates } from './duplicates.ts'

interface Node {
  'Actual Loops': number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}

/** How many pairs of rows the joins of a plan compared. */
const comparedBy = (node: Node): number =>
  (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, one) => sum + comparedBy(one), 0)

test('a book of contacts without statistics is not compared each with each', async () => {
  const t = await testApp()
  onTestFinished(() => t.close())
  const people = 1000
  await t.sql`alter table contacts set (autovacuum_enabled = false)`
  await t.sql`insert into contacts (name, phone) select 'Pessoa ' || n, '55119' || 80000000 + n
          from generate_series(1, ${people}::int) n`
  await t.sql`
    insert into contacts (name, phone) values ('Pessoa 7', '5521980000007'), ('Ana', '5521980000008')`
  const watch = watchStatements()
  const sent: Statement[] = []
  const found = await watch.during(sent, () => listDuplicates(t.database))
  watch.stop()
  expect(found.map(({ reason, contacts }) => [reason, ...contacts.map(({ name }) => name)])).toEqual([
    ['number', 'Pessoa 7', 'Pessoa 7'],
  ])
  const { text, values } = sent.find((one) => one.text.includes('contact_distinctions')) as Statement
  const explained = await t.database.pool.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
  expect(plan && comparedBy(plan)).toBeLessThan(people)
})

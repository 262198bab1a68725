import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { backedList } from '#server/maintenance/archive/tables.ts'

const dialect = new PgDialect()

/** The tables whose maps a rule asks. */
const asked = (rule: SQL) =>
  [...dialect.sqlToQuery(rule).sql.matchAll(/"map_(\w+)"/g)].map(([, name]) => name)

test('the rule of a table asks the maps of tables that come before it alone', () => {
  const before: string[] = []
  for (const { name, restored } of backedList) {
    if (restored.isAdded === undefined) continue
    const { match, matchOwn, isAdded } = restored
    const later = [match, matchOwn, isAdded].flatMap((rule) => (rule ? asked(rule) : []))
    expect(
      later.filter((one) => !before.includes(one ?? '')),
      `later than ${name}`,
    ).toEqual([])
    before.push(name)
  }
  expect(before).toContain('messages')
})

test('pairs that are not the same are pairs of a table with a map', () => {
  const mapped = backedList.flatMap(({ name, restored }) => (restored.isAdded === undefined ? [] : name))
  const pairs = backedList.flatMap(({ restored }) => restored.pairsOf ?? [])
  expect(mapped).toEqual(expect.arrayContaining(pairs))
  expect(pairs).not.toEqual([])
})

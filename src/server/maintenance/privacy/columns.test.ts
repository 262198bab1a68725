import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '#server/platform/database/db.ts'
import { schema } from '#server/schema/schema.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { personalColumns } from './columns.ts'
import type { Rule, TableName } from './rules.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

const names = Object.keys(schema) as TableName[]
const otherOf = ({ other }: Rule) => other.split(' ')
const namedBy = (rule: Rule) => [...Object.keys(rule.personal ?? {}), ...otherOf(rule)]

test.each(names)('every column of %s is named in the register once', (name) => {
  expect(namedBy(personalColumns[name]).toSorted()).toEqual(
    Object.keys(getTableColumns(schema[name])).toSorted(),
  )
})

test('a table of which something is personal says which of its rows are whose', () => {
  const silent = names.filter((name) => {
    const { of, personal = {} }: Rule = personalColumns[name]
    return Object.keys(personal).length > 0 !== (of !== undefined)
  })
  expect(silent).toEqual([])
})

test('the database has no column that the schema, and so the register, does not know', async () => {
  const found = await rows<{ column: string }>(
    t.database,
    sql`select table_name || '.' || column_name as column from information_schema.columns
         where table_schema = 'public' order by 1`,
  )
  const known = names.flatMap((name) =>
    Object.values(getTableColumns(schema[name])).map(
      (column) => `${getTableName(schema[name])}.${column.name}`,
    ),
  )
  expect(found.map(({ column }) => column).filter((column) => !known.includes(column))).toEqual([])
})

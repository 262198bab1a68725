import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { schema, tableNames } from './schema.ts'

const t = forAllTests(testDatabase)

test('the database has no column that is not declared', async () => {
  const found = await t.sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
         where table_schema = 'public' order by 1`
  const known = tableNames.flatMap((name) =>
    Object.values(getTableColumns(schema[name])).map(
      (column) => `${getTableName(schema[name])}.${column.name}`,
    ),
  )
  expect(found.map(({ column }) => column).filter((column) => !known.includes(column))).toEqual([])
})

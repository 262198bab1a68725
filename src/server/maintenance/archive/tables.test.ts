import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { schema, tableNames } from '#server/schema/schema.ts'
import { backedList } from './tables.ts'

test('no secret of a person is in a backup', () => {
  const all = backedList.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
  expect(all.filter((column) => /password|totp|token_hash|code_hash|salt/.test(column))).toEqual([])
})

test('what a row of a backup must refer to is in the backup', () => {
  const backed = new Set(backedList.map(({ name }) => name))
  const missing = tableNames
    .filter((key) => backed.has(getTableName(schema[key])))
    .flatMap((key) => {
      const columns = Object.values(getTableColumns(schema[key]))
      return getTableConfig(schema[key]).foreignKeys.flatMap((foreign) => {
        const { columns: own, foreignTable } = foreign.reference()
        const isRequired = columns.some(({ name, notNull }) => notNull && name === own[0]?.name)
        return isRequired && !backed.has(getTableName(foreignTable))
          ? [`${getTableName(schema[key])}.${own[0]?.name}`]
          : []
      })
    })
  expect(missing).toEqual([])
})

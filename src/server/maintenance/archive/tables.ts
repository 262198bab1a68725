import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Part } from '#server/schema/declare/backup.ts'
import type { Declared } from '#server/schema/declare/table.ts'
import { declarationOf, schema, type TableName, tableNames } from '#server/schema/schema.ts'

type Tables = typeof schema

/** The names of the tables in a backup, in the database. */
export type BackedName = {
  [Key in TableName]: Tables[Key] extends Declared<{ part: Part }> ? Tables[Key]['_']['name'] : never
}[TableName]

/** A table of the backup. */
export interface BackedTable {
  /** In the database. */
  name: string
  part: Part
  where: SQL | undefined
  /** The names of its columns in the database, in the order of the schema. */
  columns: string[]
}

/** The tables of a backup, each after those that it refers to; only a conversation names a later message. */
export const backedList: readonly BackedTable[] = inOrder().flatMap((key) => {
  const { part, where, without = '' } = declarationOf(key).backup
  if (!part) return []
  const leftOut = new Set(without.split(/\s+/))
  const columns = Object.entries<PgColumn>(getTableColumns(schema[key]))
    .filter(([column, { generated }]) => !leftOut.has(column) && generated === undefined)
    .map(([, { name }]) => name)
  return [{ name: getTableName(schema[key]), part, where, columns }]
})

/** All tables, each after those that its foreign keys refer to. */
function inOrder(): TableName[] {
  const keys = new Map<PgTable, TableName>(tableNames.map((key) => [schema[key], key]))
  const seen = new Set<PgTable>()
  const after = (table: PgTable): TableName[] => {
    const key = keys.get(table)
    if (!key || seen.has(table)) return []
    seen.add(table)
    return [
      ...getTableConfig(table).foreignKeys.flatMap((foreign) => after(foreign.reference().foreignTable)),
      key,
    ]
  }
  return tableNames.flatMap((key) => after(schema[key]))
}

/** The rows of a table that a backup has, of the table as 't'. */
export function backedRows({ name, columns, where }: BackedTable): SQL {
  const listed = sql.join(
    columns.map((column) => sql`t.${sql.identifier(column)}`),
    sql`, `,
  )
  return sql`select ${listed} from ${sql.identifier(name)} t ${where ? sql`where ${where}` : sql``}`
}

import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Part } from '#server/schema/declare/backup.ts'
import type { Restored } from '#server/schema/declare/restored.ts'
import { declarationOf, schema, type TableName, tableNames } from '#server/schema/schema.ts'

/** A table of the backup. */
export interface BackedTable {
  /** In the database. */
  name: string
  part: Part
  where: SQL | undefined
  /** The names of its columns in the database, in the order of the schema. */
  columns: string[]
  /** As the screen of a restore calls it. */
  label: string
  restored: Restored
}

/** The tables of a backup, each after those that it refers to; only a conversation names a later message. */
export const backedList: readonly BackedTable[] = inOrder().flatMap((key) => {
  const backup = declarationOf(key).backup
  if (!backup.part) return []
  const { part, where, without = '', label, restored } = backup
  const leftOut = new Set(without.split(/\s+/))
  const columns = Object.entries<PgColumn>(getTableColumns(schema[key]))
    .filter(([column, { generated }]) => !leftOut.has(column) && generated === undefined)
    .map(([, { name }]) => name)
  return [{ name: getTableName(schema[key]), part, where, columns, label, restored }]
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

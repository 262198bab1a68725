/** All tables, for the types of the database and for what is said of every one of them. */
import { type Declaration, declaration, tablesOf } from './declare/table.ts'
import { tables } from './tables.ts'

export const schema = tablesOf(tables)

/** The name of a table in the code. */
export type TableName = keyof typeof schema

export const tableNames = Object.keys(schema) as TableName[]

/** What is declared beside the columns of a table. */
export const declarationOf = (name: TableName): Declaration => schema[name][declaration]

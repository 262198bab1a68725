import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '#server/platform/database/db.ts'

/** The next values of a sequence, in one statement. */
export async function takeNumbers(db: Db, next: ReturnType<typeof sql>, count: number): Promise<number[]> {
  const taken = await rows<{ n: number }>(db, sql`select ${next}::int as n from generate_series(1, ${count})`)
  return taken.map(({ n }) => n)
}

/** Ids for rows that refer to each other before they are written. */
export function takeIds(db: Db, table: PgTable, count: number): Promise<number[]> {
  return takeNumbers(db, sql`nextval(pg_get_serial_sequence(${getTableName(table)}, 'id'))`, count)
}

const rowsAtOnce = 4000

/** Inserts thousands of rows as one parameter, in JSON. All rows have the first one's columns. */
export async function insertAll<Table extends PgTable>(
  db: Db,
  table: Table,
  values: readonly (Partial<Table['$inferInsert']> & object)[],
): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in (values[0] ?? {}))
  const names = sql.join(
    columns.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  )
  const toRecord = (value: Readonly<Record<string, unknown>>) => {
    const record: Record<string, unknown> = {}
    // A column that is left out is null.
    for (const [key, { name }] of columns) if (value[key] !== null) record[name] = value[key]
    return record
  }
  for (let from = 0; from < values.length; from += rowsAtOnce) {
    const records = values
      .slice(from, from + rowsAtOnce)
      .map((value) => toRecord(value as Record<string, unknown>))
    await db.execute(sql`insert into ${table} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)`)
  }
}

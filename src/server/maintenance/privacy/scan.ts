import { type SQL, sql } from 'drizzle-orm'
import { readPhone } from '#shared/text/phones/read-phone.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { contains } from '#server/platform/database/folded.ts'
import { phonePattern } from '#server/schema/declare/spellings.ts'
import { type ByteSource, searchBytes } from './search-bytes.ts'

/** What is looked for. */
export interface Wanted {
  /** A telephone number, in any spelling. */
  phone: string
  /** Further texts, such as a name; case and accents do not matter. */
  also: readonly string[]
}

/** A place where something was found. */
export interface Find {
  /** `tabela.coluna`, or the path of a file. */
  place: string
  /** In how many rows; 1 for a file. */
  count: number
}

/**
 * Looks for a person in everything that is stored: every column of every table that the catalog names, and
 * the names and bytes of files. Compressed files, such as most documents, are not looked into.
 * @param onFind called with each place
 * @returns how many columns and files were looked through
 */
export async function scanForPerson(
  database: Database,
  wanted: Wanted,
  files: AsyncIterable<ByteSource>,
  onFind: (find: Find) => void,
): Promise<{ columns: number; files: number }> {
  const seen = { columns: 0, files: 0 }
  for (const [table, columns] of await listTextColumns(database)) {
    seen.columns += columns.length
    for (const find of await scanTable(database, table, columns, wanted)) onFind(find)
  }
  const patterns = [patternOf(wanted.phone), ...wanted.also.map(escaped)]
  for await (const file of files) {
    seen.files += 1
    if (await searchBytes(file, patterns)) onFind({ place: file.name, count: 1 })
  }
  return seen
}

function patternOf(phone: string): string {
  const read = readPhone(phone)
  return phonePattern('phone' in read ? read.phone : phone.replace(/\D/g, ''))
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

interface TextColumn extends Record<string, unknown> {
  /** With its schema, quoted for SQL. */
  table: string
  column: string
  /** Its text, in SQL. */
  text: string
}

/** The columns that may contain a text, by table. */
async function listTextColumns(db: Db): Promise<Map<string, TextColumn[]>> {
  const found = await rows<TextColumn>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as table, a.attname as column,
               format(case t.typname when 'bytea' then $$encode(%I, 'escape')$$ else '%I::text' end,
                      a.attname) as text
          from pg_attribute a join pg_class c on c.oid = a.attrelid
               join pg_namespace n on n.oid = c.relnamespace
               join pg_type t on t.oid = a.atttypid
               left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
         where c.relkind in ('r', 'm') and a.attnum > 0 and not a.attisdropped
           and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
           and n.nspname not like 'pg_temp%'
           and (coalesce(e.typcategory, t.typcategory) = 'S'
                or coalesce(e.typname, t.typname) in ('json', 'jsonb', 'xml', 'bytea', 'hstore'))
         order by 1, a.attnum`,
  )
  return Map.groupBy(found, ({ table }) => table)
}

async function scanTable(
  database: Database,
  table: string,
  columns: readonly TextColumn[],
  wanted: Wanted,
): Promise<Find[]> {
  const counts = columns.map(
    ({ text }, n) =>
      sql`count(*) filter (where ${hasAny(sql.raw(text), wanted)})::int as ${sql.raw(`c${n}`)}`,
  )
  const row = await database.transaction(async (db) => {
    // A whole table may take longer than any request.
    await db.execute(sql`set local statement_timeout = 0`)
    const [counted] = await rows<Record<string, number>>(
      db,
      sql`select ${sql.join(counts, sql`, `)} from ${sql.raw(table)}`,
    )
    return counted
  })
  return columns.flatMap(({ column }, n) => {
    const count = row?.[`c${n}`] ?? 0
    return count > 0 ? [{ place: `${table.replace(/^public\./, '')}.${column}`, count }] : []
  })
}

function hasAny(text: SQL, { phone, also }: Wanted): SQL {
  // Within JSON quotation marks and line breaks are written otherwise.
  const spelled = also.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])
  const found = [sql`${text} ~ ${patternOf(phone)}`, ...spelled.map((one) => contains(text, one))]
  return sql`(${sql.join(found, sql` or `)})`
}

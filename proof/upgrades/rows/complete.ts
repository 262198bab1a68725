import type pg from 'pg'
import { days, type Era, type Row, type Rows, uuid } from './era.ts'

export interface Column {
  table: string
  name: string
  type: string
  /** A row cannot be inserted without a value for it. */
  isRequired: boolean
  /** What it is without a value; null: nothing. */
  default: string | null
  /** The table that it refers to. */
  refersTo: string | null
  /** The only values that it may have, where they are listed. */
  choices: string[] | null
}

/** The columns of the product's tables, those that are computed left out. */
export async function readColumns(client: pg.ClientBase, tables: readonly string[]): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
            a.attnotnull and d.oid is null and a.attidentity = '' as "isRequired",
            pg_get_expr(d.adbin, d.adrelid) as default,
            (select k.confrelid::regclass::text from pg_constraint k
              where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]) as "refersTo",
            (select array_agg(m[1] order by n) from pg_constraint k,
                    regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g')
                      with ordinality x(m, n)
              where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
                and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%') as choices
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by c.relname, a.attnum`,
    [tables],
  )
  return rows
}

/** Tables whose rows come from the migration and the triggers. */
const filledByTheirOwn = new Set(['audit_head', 'search_due', 'facts_due', 'sla_due'])

/**
 * Gives every other table a row, and every column a value in the first row of its table that no row of the
 * table mentions; the further rows get what they cannot do without.
 */
export function complete(declared: Rows, columns: readonly Column[], era: Era): Rows {
  const all: Record<string, Row[]> = {}
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    if (filledByTheirOwn.has(table)) continue
    const rows = declared[table] ?? [{}]
    const isMentioned = ({ name }: Column) => rows.some((row) => name in row)
    all[table] = rows.map((row, n) => {
      const added = own.filter((column) => column.isRequired || n === 0 || column.name === 'id')
      const missing = added.filter((column) =>
        n === 0 && !column.isRequired ? !isMentioned(column) : !(column.name in row),
      )
      return {
        ...Object.fromEntries(missing.map((column) => [column.name, unusual(column, n + 1, era)])),
        ...row,
      }
    })
  }
  return all
}

const odd = 'é e\u0301 "aspas" \\ \n\t \u0001 🧑🏽‍🚀'

/** A value that is easily lost, and that the column takes. @param n which row of its table it is for */
function unusual({ name, type, default: usual, refersTo, choices }: Column, n: number, era: Era): unknown {
  if (choices) return choices.at(-1)
  if (name === 'id') return type === 'uuid' ? uuid(n) : n
  if (type === 'text') return name.endsWith('_encrypted') ? era.encrypt(name) : `${name} ${n} ${odd}`
  if (type === 'integer') return refersTo !== null || name.endsWith('_id') ? 1 : 3
  switch (type) {
    case 'timestamp with time zone':
      return era.ago(days(3)).replace('Z', '456Z')
    case 'boolean':
      return usual !== 'true'
    case 'smallint':
      return 3
    case 'bigint':
      return 2 ** 40 + n
    case 'double precision':
      return 0.1 + 0.2
    case 'uuid':
      return uuid(1)
    case 'jsonb':
      return { '': [null, 12_345.678, odd] }
    case 'text[]':
      return ['', 'null', odd]
    case 'integer[]':
      return [1]
    case 'tsvector':
      return "'bom':1 'dia':2"
    case 'xid8':
      return undefined
    default:
      throw new Error(`no value is known for the type ${type} of ${name}`)
  }
}

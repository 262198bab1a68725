import { getTableName } from 'drizzle-orm'
import type pg from 'pg'
import type { CopyManifest } from '#server/maintenance/archive/manifest.ts'
import { listOurTables } from '#server/platform/database/migrate.ts'
import type { Purpose } from '#server/schema/declare/backup.ts'
import { declarationOf, schema, tableNames } from '#server/schema/schema.ts'

/** A table with all of its columns that are stored, as they are called in the database. */
export interface WholeTable {
  name: string
  columns: string[]
}

/** The tables of which all rows are taken, as they are in the database: of whatever version it is. */
export async function tablesFor(client: pg.ClientBase, purpose: Purpose): Promise<WholeTable[]> {
  const leftOut = new Set<string>(
    tableNames
      .filter((key) => declarationOf(key).wholeCopy?.leftOutOf.includes(purpose))
      .map((key) => getTableName(schema[key])),
  )
  return (await tablesThere(client)).filter(({ name }) => !leftOut.has(name))
}

/** The tables in the database, of whatever version of the product they are. */
export async function tablesThere(client: pg.ClientBase): Promise<WholeTable[]> {
  const { rows } = await client.query<WholeTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`,
    [await listOurTables(client)],
  )
  return rows
}

/** A sequence, and the number that it gave last, or will give first; in decimal, as it may be large. */
export type Sequence = CopyManifest['sequences'][number]

/** Sequences of the product that belong to no column. */
const ownSequences = ['conversation_protocol']

/** Reads the sequences. They run on in an open snapshot: read after the rows, none is behind its table. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows: found } = await client.query<{ name: string }>(
    `select s.relname as name
       from pg_class s
       left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid
                            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       left join pg_class t on t.oid = d.refobjid
      where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
        and (t.relname = any($1) or t.oid is null and s.relname = any($2))
      order by s.relname`,
    [await listOurTables(client), ownSequences],
  )
  const sequences: Sequence[] = []
  for (const { name } of found) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `select last_value::text as value, is_called as "isCalled"
         from public.${client.escapeIdentifier(name)}`,
    )
    if (rows[0]) sequences.push({ name, ...rows[0] })
  }
  return sequences
}

/** Sets those that are there. */
export async function setSequences(client: pg.ClientBase, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value, isCalled } of sequences)
    await client.query(
      `select setval(oid::regclass, $2::bigint, $3) from pg_class
        where relkind = 'S' and relnamespace = 'public'::regnamespace and relname = $1`,
      [name, value, isCalled],
    )
}

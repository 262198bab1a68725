import type { Database } from '#server/platform/database/db.ts'
import { listOurTables } from '#server/platform/database/migrate.ts'

type Values = Readonly<Record<string, unknown>>
/** The rows of each table by their primary key. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, Values>>

/** Reads all rows of all tables of the product, of whatever version. */
export async function readStored({ pool }: Database): Promise<Stored> {
  const client = await pool.connect()
  try {
    const stored = new Map<string, Map<string, Values>>()
    for (const table of await listOurTables(client)) {
      const { rows } = await client.query<{ key: string; row: Values }>(
        `select (select string_agg(v.value #>> '{}', ' ' order by v.key)
                   from jsonb_each(to_jsonb(t)) v where v.key = any($1)) as key, to_jsonb(t) as row
           from "${table}" t`,
        [await keyOf(client, table)],
      )
      stored.set(table, new Map(rows.map(({ key, row }) => [key, row])))
    }
    return stored
  } finally {
    client.release()
  }
}

async function keyOf(
  client: { query: <Row extends object>(text: string, values: unknown[]) => Promise<{ rows: Row[] }> },
  table: string,
): Promise<string[]> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'p' and k.conrelid = $1::regclass`,
    [`public.${table}`],
  )
  return rows.map(({ column }) => column)
}

/** `contacts 3` is gone, or `contacts 3 name: "A" → "B"`. */
export interface Difference {
  table: string
  key: string
  /** Absent: the row is gone. */
  column?: string
  words: string
}

/** What of the rows of before is not as it was, in the columns that both versions have. */
export function differences(before: Stored, after: Stored): Difference[] {
  const found: Difference[] = []
  for (const [table, rows] of before)
    for (const [key, row] of rows) {
      const now = after.get(table)?.get(key)
      if (!now) found.push({ table, key, words: `${table} ${key} is gone` })
      else
        for (const [column, value] of Object.entries(row)) {
          const [was, is] = [JSON.stringify(value), JSON.stringify(now[column])]
          if (was !== is && column in now)
            found.push({ table, key, column, words: `${table} ${key} ${column}: ${was} → ${is}` })
        }
    }
  return found
}

/** Columns that are gone without a migration that means to remove them would be no difference above. */
export function removedColumns(before: Stored, after: Stored): string[] {
  const columnsOf = (stored: Stored) =>
    [...stored].flatMap(([table, rows]) => {
      const [row] = rows.values()
      return row ? Object.keys(row).map((column) => `${table}.${column}`) : []
    })
  const now = new Set(columnsOf(after))
  return columnsOf(before).filter((column) => !now.has(column))
}

/** A value that a migration means to change, of the rows of the seed. */
interface Meant {
  /** The number of the migration. */
  by: number
  table: string
  key: string
  column: string
}

/** The changes of values that the migrations mean to make. */
const meantChanges: readonly Meant[] = [
  // An address that was made of a typed number is that number again.
  { by: 13, table: 'contact_identities', key: '1', column: 'jid' },
  // Who was locked by wrong passwords is not blocked any more.
  { by: 16, table: 'users', key: '3', column: 'is_blocked' },
  // Who was given back to the queue is waited for.
  { by: 20, table: 'conversations', key: '4', column: 'waiting_for' },
  // An action has another name.
  { by: 23, table: 'audit_logs', key: '2', column: 'action' },
]

export const isMeant = ({ table, key, column }: Difference, number: number): boolean =>
  meantChanges.some(
    (meant) => meant.by > number && meant.table === table && meant.key === key && meant.column === column,
  )

/** What the migrations promise of the rows of the seed, from whatever version: each finds no row. */
export const promises: Readonly<Record<string, string>> = {
  '0006 counts the messages of clients': `select from conversations c where contact_message_count <> (
     select count(*) from messages m where m.conversation_id = c.id and m.sender_type = 'contact')`,
  '0011 gives files their owners': `select from files f join contacts c on c.avatar_url like '%' || f.name
      where f.contact_id is distinct from c.id
     union all select from files f, system_settings s, jsonb_array_elements(s.values -> 'quickResponses') r
      where f.name = r -> 'file' ->> 'name' and not f.is_quick_response`,
  '0013 keeps typed numbers': `select from contact_identities where id = 1 and jid <> value`,
  '0016 locks who guessed': `select from users where id = 3 and (is_blocked or login_locked_at is null)
     union all select from users where id = 4 and (not is_blocked or login_locked_at is not null)`,
  '0019 folds names': `select from contacts where id = 1 and name_folded <> 'rita acida'`,
  '0020 waits for those given back': `select from conversations where id = 4 and waiting_for <> 'operator'`,
  '0023 begins the chain': `select from audit_logs where action = 'live.other_user'
     union all select where not exists (select from audit_head)`,
  '0025 folds tags': `select from contacts where id = 1 and tags_folded[2] <> 'acao'`,
  '0029 notes what is to be searched': `select from conversations c
     where status = 'completed' and not exists (select from search_due d where d.conversation_id = c.id)`,
  '0030 notes what is to be counted': `select from conversations c where not exists (
     select from facts_due d where d.conversation_id = c.id)`,
  '0032 names the installation': `select from installation where uid is null`,
}

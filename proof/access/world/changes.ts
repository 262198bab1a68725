import { type SQL, sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'

/** A row of a table that was inserted, changed or deleted. */
export interface Change extends Record<string, unknown> {
  /** Of this note. */
  seq: number
  /** When it was written, in milliseconds of the database's clock; it was committed a little later. */
  atMs: number
  relation: string
  op: 'INSERT' | 'UPDATE' | 'DELETE'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/**
 * Has every table of the product note each of its changes, by triggers that are found in the catalog: a new
 * table joins by itself. It is the same as comparing a dump of all tables before and after, but does not grow
 * with them.
 */
export async function noteChanges(database: Database): Promise<void> {
  const statements: SQL[] = [
    sql`create schema proof`,
    sql`create table proof.changes (seq bigserial primary key, relation text, op text, before jsonb,
          after jsonb, at timestamptz not null default clock_timestamp())`,
    sql`create function proof.note() returns trigger language plpgsql as $$ begin
          insert into proof.changes (relation, op, before, after) values (tg_table_name, tg_op,
            case when tg_op <> 'INSERT' then to_jsonb(old) end,
            case when tg_op <> 'DELETE' then to_jsonb(new) end);
          return null; end $$`,
    sql`do $$ declare one text; begin
          for one in select table_name from information_schema.tables
                      where table_schema = 'public' and table_type = 'BASE TABLE' loop
            execute format('create trigger proof_note after insert or update or delete on public.%I
                              for each row execute function proof.note()', one);
            execute format('create trigger proof_no_truncate before truncate on public.%I
                              for each statement execute function proof.note()', one);
          end loop; end $$`,
  ]
  for (const statement of statements) await database.execute(statement)
}

/** The place in the notes up to now. */
export async function changesUpTo(database: Database): Promise<number> {
  const [row] = await rows<{ seq: number }>(
    database,
    sql`select coalesce(max(seq), 0)::int as seq from proof.changes`,
  )
  return row?.seq ?? 0
}

/** What has changed since that place, oldest first, without what was inserted and deleted again. */
export async function changesSince(database: Database, seq: number): Promise<Change[]> {
  const noted = await rows<Change>(
    database,
    sql`select seq::int as seq, (extract(epoch from at) * 1000)::float8 as "atMs", relation, op, before,
               after from proof.changes where seq > ${seq}
         order by seq`,
  )
  const keyOf = ({ relation, before, after }: Change) =>
    `${relation} ${JSON.stringify((after ?? before)?.['id'])}`
  const byRow = Map.groupBy(noted, keyOf)
  return noted.filter((change) => {
    const ofRow = byRow.get(keyOf(change)) ?? []
    const isPassing = ofRow[0]?.op === 'INSERT' && ofRow.at(-1)?.op === 'DELETE'
    return !isPassing
  })
}

/** The columns with another value than before; of a new or deleted row all. */
export function changedColumns({ before, after }: Change): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  if (!before || !after) return [...names]
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/**
 * What is noted of a session with any call of its person, of a number by the watch over its connection, and
 * of a row of the audit when it is sealed or repeated.
 */
const passingColumns: Readonly<Record<string, readonly string[]>> = {
  sessions: ['last_seen_at'],
  audit_logs: ['position', 'hash', 'repeats', 'repeat_key'],
  audit_head: ['position', 'hash', 'sealed_at'],
  evolution_api_config: [
    'status',
    'last_connected_at',
    'owner_jid',
    'profile_name',
    'failures',
    'breaker_until',
    'troubled_at',
    'release',
    'release_at',
  ],
}

/** Whether a change says nothing about a call; a refusal may be recorded. @see security §5.1 */
export function isByTheWay(change: Change): boolean {
  const { relation, op, after } = change
  const passing = passingColumns[relation]
  if (passing && op === 'UPDATE') return changedColumns(change).every((name) => passing.includes(name))
  if (relation === 'events') return after?.['type'] === 'gateway_state'
  // A count of what was refused.
  if (relation === 'webhook_refusals') return true
  // What the search keeps of conversations and contacts, whose rows are judged themselves.
  if (['search_due', 'conversation_search', 'open_search'].includes(relation)) return true
  // What the reports count of conversations, whose rows are judged themselves.
  if (relation === 'facts_due' || relation === 'conversation_facts') return true
  // The same of their targets.
  if (relation === 'sla_due') return true
  // The watch over the connections ends the first steps once all are done; it skips none.
  if (relation === 'first_steps')
    return after?.['is_message_skipped'] === false && after['is_team_skipped'] === false
  // The values of a row of the audit, which is judged itself.
  if (relation === 'audit_personal') return op === 'INSERT'
  return relation === 'audit_logs' && op === 'INSERT' && after?.['outcome'] === 'refused'
}

/** A line about a change, for a fault. */
export function changeLine(change: Change): string {
  const id = JSON.stringify((change.after ?? change.before)?.['id'])
  return `${change.op} ${change.relation} ${id} (${changedColumns(change).slice(0, 6).join(', ')})`
}

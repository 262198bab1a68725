import { sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'

/**
 * Writes values that are easily lost on the way from one database to another, and what is under way. No
 * program may use the database: some of it no program has written.
 */
export async function writeOddRows(database: Database): Promise<void> {
  const emoji = '🧑🏽‍🚀 e\u0301 \u200f'
  await database.execute(
    sql`insert into companies (name)
        values (${'linha 1\r\nlinha 2\t"aspas" \\ \u0001'}), (${emoji}), ('NULL')`,
  )
  await database.execute(
    sql`insert into contacts (name, phone, tags, notes, created_at, updated_at)
        values ('\\N', null, array['', null, 'a"b', 'null', '{}', ', ', ${'\n'}, ${emoji}], '',
                'infinity', '-infinity'),
               ('Antes de Cristo', null, '{}', null,
                '0044-03-15 12:00:00.123456+00 BC', '2026-02-28 23:59:59.999999+00')`,
  )
  await database.execute(
    sql`insert into webhook_inbox (instance_name, event, dedupe_key, lane, payload, received_at, processed_at)
        values ('loja1', 'odd', 'odd-1', 'odd', 'null', 'infinity', 'infinity'),
               ('loja1', 'odd', 'odd-2', 'odd', '"null"', now(), now()),
               ('loja1', 'odd', 'odd-3', 'odd',
                '{"n": 12345678901234567890.123450, "e": 1e-300, "a": [null, {"b": null}], "": "\\n\\"\\\\"}',
                now(), now()),
               ('loja1', 'odd', 'odd-4', 'odd', to_jsonb(repeat(${emoji}, 300000)), now(), now())`,
  )
  await database.execute(
    sql`insert into job_runs (id, name, state, attempt) values (gen_random_uuid(), 'odd', 'running', 1)`,
  )
  await database.execute(
    sql`with message as (update messages set delivery_status = 'pending'
                          where id = (select max(id) from messages where sender_id is not null)
                         returning id, conversation_id, instance_id)
        insert into outbox (instance_id, conversation_id, message_id)
        select instance_id, conversation_id, id from message`,
  )
  await database.execute(
    sql`insert into maintenance_backups (name, file_path) values ('odd', 'odd-odd-odd-odd-odd')`,
  )
}

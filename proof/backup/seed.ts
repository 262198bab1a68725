import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/db.ts'

/** How much is there before the proof begins. */
export interface Size {
  conversations: number
  messagesEach: number
  files: number
}

/**
 * Writes completed conversations with messages of both sides, edits, reactions and ratings, and files with
 * random bytes in the folder of a data folder.
 */
export async function seedPast(
  database: Database,
  dataDir: string,
  { conversations, messagesEach, files }: Size,
): Promise<void> {
  await database.execute(sql`set statement_timeout = 0`)
  const texts = sql`(array['Bom dia, tudo bem?', E'pedido com\nlinha e "aspas" \\ barra', 'não chegou 😀',
    'Obrigado pela atenção', 'qual é o prazo de entrega?'])`
  await database.execute(
    sql`insert into contacts (name, phone, tags, created_at)
        select 'Cliente ' || n, (554180000000 + n)::text, array['ação'], app_now() - interval '400 days'
          from generate_series(1, ${conversations}::int) n`,
  )
  await database.execute(
    sql`insert into contact_identities (contact_id, kind, value, jid)
        select id, 'phone', phone, phone from contacts
         where phone like '55418%'`,
  )
  await database.execute(
    sql`insert into conversations (contact_id, instance_id, protocol, assigned_user_id, status, completed_at,
          started_at, last_activity_at, message_count, contact_message_count)
        select c.id, (select min(id) from evolution_api_config), '2024' || lpad(n::text, 10, '0'),
               (select min(id) from users), 'completed', t.at + interval '1 hour', t.at,
               t.at + interval '50 min',
               ${messagesEach}, ${messagesEach} / 2
          from (select id, row_number() over (order by id) as n from contacts
                 where phone like '55418%') c,
               lateral (select app_now() - interval '399 days' + c.n * interval '1 minute' as at) t`,
  )
  await database.execute(
    sql`insert into messages (conversation_id, instance_id, sender_id, sender_type, content,
          whatsapp_message_id,
          delivery_status, sort_at, sent_at, created_at)
        select v.id, v.instance_id, case when k % 2 = 0 then v.assigned_user_id end,
               case when k % 2 = 0 then 'user' else 'contact' end,
               ${texts}[1 + (v.id + k) % 5] || ' ' || v.id,
               'SEED-' || v.id || '-' || k, case when k % 2 = 0 then 'read' end,
               v.started_at + k * interval '1 minute', v.started_at + k * interval '1 minute', v.started_at
          from conversations v, generate_series(1, ${messagesEach}::int) k
         where v.protocol like '2024%'`,
  )
  await database.execute(
    sql`update conversations v set last_message_id = l.id
          from (select conversation_id, max(id) as id from messages group by 1) l
         where l.conversation_id = v.id and v.last_message_id is null`,
  )
  await database.execute(
    sql`insert into conversation_ratings
          (conversation_id, contact_id, operator_id, service_rating, operator_rating)
        select id, contact_id, assigned_user_id, 1 + id % 5, 1 + id % 5 from conversations
         where protocol like '2024%' and id % 3 = 0`,
  )
  const sizeOf = (n: number) => 2000 + ((n * 7919) % 120_000)
  await giveFiles(database, dataDir, { which: sql`true`, count: files, sizeOf })
  await database.execute(sql`analyze`)
}

/** Where a data folder has a file. */
export const fileOf = (dataDir: string, name: string): string =>
  join(dataDir, 'uploads', name.slice(0, 2), name)

/**
 * Gives messages of clients in the written past files with random bytes.
 * @param which of the conversations `v`
 * @param sizeOf the bytes of each
 */
export async function giveFiles(
  database: Database,
  dataDir: string,
  { which, count, sizeOf }: { which: SQL; count: number; sizeOf: (n: number) => number },
): Promise<void> {
  const { rows } = await database.execute<{ id: number }>(
    sql`select m.id from messages m join conversations v on v.id = m.conversation_id
         where ${which} and m.sender_type = 'contact' and m.file_url is null
           and m.whatsapp_message_id like 'SEED%' order by m.id limit ${count}`,
  )
  const made = rows.map(({ id }, n) => {
    const bytes = randomBytes(sizeOf(n))
    const name = randomBytes(24).toString('base64url')
    mkdirSync(dirname(fileOf(dataDir, name)), { recursive: true })
    writeFileSync(fileOf(dataDir, name), bytes)
    return { id, name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  await database.execute(
    sql`insert into files (name, message_id, size_bytes, mime_type, sha256)
        select f.name, f.id, f.size, 'application/pdf', f.sha256
          from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
                 as f (id int, name text, size int, sha256 text)`,
  )
  await database.execute(
    sql`update messages m set file_url = '/api/media/files/' || f.name, file_size = f.size_bytes,
               message_type = 'document', file_name = 'nota.pdf'
          from files f where f.message_id = m.id and m.file_url is null`,
  )
}

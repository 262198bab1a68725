import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'

/** What the team noted in open conversations: by whom, about whom, how many minutes ago. */
const notes = [
  ['bruno', 'José Antônio Guimarães Sobrinho', 34, 'A filial só fatura com pedido de compra. Pedi à Carla.'],
  ['carla', 'José Antônio Guimarães Sobrinho', 31, 'O pedido de compra está no e-mail dele de ontem.'],
  [
    'supervisora',
    'Maria Aparecida de Albuquerque Cavalcanti',
    5,
    'Já falei com o motorista, ele volta às 16h.',
  ],
  ['carla', 'Thaís Conceição', 11, 'Terceira vez este mês. Separei um leitor novo para trocar.'],
] as const

/** What clients said in some of their voices. */
const said = [
  'Oi, tudo bem? Queria saber se o pedido de ontem já saiu para entrega.',
  'Pode mandar a segunda via do boleto, por favor? Não achei no e-mail.',
  'Deu certo, muito obrigada. Vou avisar o pessoal da loja.',
]

/**
 * What is scheduled in open conversations: by whom, to whom, in how many hours, on which conditions.
 * 'failed' is of somebody who may not reply any more.
 */
const scheduled = [
  [
    'ana',
    'Dona Zefinha',
    2,
    'pending',
    true,
    'Bom dia! Seu saquinho de presente chegou. Guardo para a senhora?',
  ],
  ['ana', 'Padaria Pão', 20, 'pending', true, 'O caminhão sai às 8h30 com os sacos kraft.'],
  ['carla', 'Grasiele', 44, 'pending', false, 'Oi Grasiele, seu boleto vence hoje.'],
  ['bruno', 'José Antônio', -20, 'failed', false, 'O pedido saiu para entrega.'],
] as const

/** The notes of the demonstration, what is scheduled, and voices in words. */
export async function demoRows(db: Db, now: Date): Promise<void> {
  for (const [username, contact, hours, state, cancelOnAnswer, content] of scheduled) {
    const at = new Date(now.getTime() + hours * 3_600_000).toISOString()
    await db.execute(sql`
      insert into scheduled_messages (conversation_id, author_id, content, send_at, asked_at,
                                      cancel_on_answer, only_open, state, reason, ended_at, created_at)
      select v.id, u.id, ${content}, ${at}, ${at}, ${cancelOnAnswer}, false, ${state},
             case when ${state === 'failed'} then 'author_not_allowed' end,
             case when ${state === 'failed'} then ${at}::timestamptz end,
             ${at}::timestamptz - interval '2 days'
        from conversations v join contacts c on c.id = v.contact_id, users u
       where c.name like ${`${contact}%`} and v.status <> 'completed' and u.username = ${username}
       order by v.id limit 1`)
  }
  for (const [username, contact, minutes, content] of notes) {
    const at = new Date(now.getTime() - minutes * 60_000).toISOString()
    await db.execute(sql`
      insert into messages (conversation_id, instance_id, sender_type, sender_id, message_type, content,
                            sort_at, sent_at, created_at)
      select v.id, v.instance_id, 'user', u.id, 'note', ${content}, ${at}, ${at}, ${at}
        from conversations v join contacts c on c.id = v.contact_id, users u
       where c.name = ${contact} and v.status <> 'completed' and u.username = ${username}`)
  }
  await db.execute(sql`
    update messages m set metadata = m.metadata
             || jsonb_build_object('transcription', (${sql.param(said)}::text[])[1 + v.n % ${said.length}])
      from (select id, row_number() over (order by id)::int as n from messages
             where message_type = 'audio' and sender_type = 'contact' and metadata ->> 'isVoice' = 'true'
             order by id desc limit 30) v
     where m.id = v.id`)
}

import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { isoTime } from '#server/schema/columns.ts'
import type { Person } from '#server/schema/declare/person.ts'

// What there is of a person, as it is given to them: with Portuguese names, times in ISO 8601 (UTC), and
// without ids that mean something only here.

export interface ContactData extends Record<string, unknown> {
  nome: string
  telefone: string | null
  email: string | null
  empresa: string | null
  categoria: string
  etiquetas: string[]
  observacoes: string | null
  bloqueado: boolean
  cadastradoEm: string
  alteradoEm: string
  excluidoEm: string | null
  identidades: { tipo: 'phone' | 'lid'; valor: string; endereco: string }[]
}

export interface ConversationData extends Record<string, unknown> {
  id: number
  protocolo: string
  inicio: string
  fim: string | null
  situacao: string
  atendente: string | null
  observacoes: string | null
  mensagens: number
}

export interface MessageData extends Record<string, unknown> {
  id: number
  enviadaEm: string
  de: 'contato' | 'equipe'
  autor: string | null
  tipo: string
  texto: string
  citacao: string | null
  editadaEm: string | null
  apagadaEm: string | null
  entregueEm: string | null
  lidaEm: string | null
  detalhes: Record<string, unknown>
  textosAnteriores: { texto: string; substituidoEm: string }[]
  reacoes: { de: string; emoji: string }[]
  votos: { de: string; opcoes: string[] }[]
  arquivo: string | null
}

export interface RatingData extends Record<string, unknown> {
  protocolo: string
  atendimento: number
  operador: number
  comentario: string | null
  em: string
}

export interface AccessData extends Record<string, unknown> {
  em: string
  quem: string
  acao: string
  objeto: string
  vezes: number
}

/** A stored file of the person. */
export interface FileData extends Record<string, unknown> {
  /** In the file store. */
  name: string
  messageId: number | null
  fileName: string | null
  mimeType: string
  sizeBytes: number
}

/** All that is given to a person but the messages, which are read on the way. */
export interface Dossier {
  madeAt: string
  contacts: ContactData[]
  conversations: ConversationData[]
  ratings: RatingData[]
  accesses: AccessData[]
  files: (FileData & { path: string })[]
  messagesOf(conversation: ConversationData): AsyncIterable<MessageData>
}

const any = (ids: readonly number[]) => sql`any(${sql.param(ids)}::int[])`

/** The entries of the person, the current one first. */
export function listContactData(db: Db, { contactIds }: Person, id: number): Promise<ContactData[]> {
  return rows<ContactData>(
    db,
    sql`select c.name as nome, c.phone as telefone, c.email, e.name as empresa, c.category as categoria,
               c.tags as etiquetas, c.notes as observacoes, c.is_blocked as bloqueado,
               ${isoTime(sql`c.created_at`)} as "cadastradoEm", ${isoTime(sql`c.updated_at`)} as "alteradoEm",
               ${isoTime(sql`c.deleted_at`)} as "excluidoEm",
               coalesce((select json_agg(json_build_object('tipo', i.kind, 'valor', i.value,
                                                           'endereco', i.jid)
                                         order by i.id)
                           from contact_identities i where i.contact_id = c.id), '[]') as identidades
          from contacts c left join companies e on e.id = c.company_id
         where c.id = ${any(contactIds)} order by c.id <> ${id}, c.id`,
  )
}

export function listConversationData(db: Db, { conversationIds }: Person): Promise<ConversationData[]> {
  return rows<ConversationData>(
    db,
    sql`select v.id, v.protocol as protocolo, ${isoTime(sql`v.started_at`)} as inicio,
               ${isoTime(sql`v.completed_at`)} as fim, v.status as situacao, u.name as atendente,
               v.notes as observacoes, v.message_count as mensagens
          from conversations v left join users u on u.id = v.assigned_user_id
         where v.id = ${any(conversationIds)} order by v.started_at, v.id`,
  )
}

const batchSize = 500

/** The messages of a conversation, oldest first, read a batch at a time. */
export async function* messagesOf(
  db: Db,
  conversationId: number,
  pathOf: (messageId: number) => string | undefined,
): AsyncGenerator<MessageData> {
  let after = { sortAt: '-infinity', id: 0 }
  for (;;) {
    const batch = await rows<MessageData & { sortAt: string }>(
      db,
      sql`select m.id, m.sort_at::text as "sortAt", ${isoTime(sql`m.sent_at`)} as "enviadaEm",
                 case m.sender_type when 'contact' then 'contato' else 'equipe' end as de,
                 u.name as autor, m.message_type as tipo, m.content as texto,
                 m.metadata ->> 'transcription' as "transcricaoAutomatica", m.quoted_content as citacao,
                 ${isoTime(sql`m.edited_at`)} as "editadaEm", ${isoTime(sql`m.deleted_at`)} as "apagadaEm",
                 ${isoTime(sql`m.delivered_at`)} as "entregueEm", ${isoTime(sql`m.read_at`)} as "lidaEm",
                 m.metadata as detalhes,
                 coalesce((select json_agg(json_build_object('texto', x.content, 'substituidoEm',
                                                             ${isoTime(sql`x.replaced_at`)}) order by x.id)
                             from message_versions x where x.message_id = m.id), '[]') as "textosAnteriores",
                 coalesce((select json_agg(json_build_object('de', ${sideOf(sql`x.sender`)}, 'emoji', x.emoji)
                                           order by x.id)
                             from message_reactions x where x.message_id = m.id and x.emoji <> ''),
                          '[]') as reacoes,
                 coalesce((select json_agg(json_build_object('de', ${sideOf(sql`x.sender`)},
                                                             'opcoes', x.options) order by x.id)
                             from message_votes x where x.message_id = m.id), '[]') as votos
            from messages m left join users u on u.id = m.sender_id
           where m.conversation_id = ${conversationId}
             and (m.sort_at, m.id) > (${after.sortAt}::timestamptz, ${after.id}::int)
           order by m.sort_at, m.id limit ${batchSize}`,
    )
    for (const { sortAt, ...message } of batch) {
      after = { sortAt, id: message.id }
      yield { ...message, arquivo: pathOf(message.id) ?? null }
    }
    if (batch.length < batchSize) return
  }
}

const sideOf = (column: SQL) => sql`case ${column} when 'contact' then 'contato' else 'equipe' end`

export function listRatingData(db: Db, { conversationIds }: Person): Promise<RatingData[]> {
  return rows<RatingData>(
    db,
    sql`select v.protocol as protocolo, r.service_rating as atendimento, r.operator_rating as operador,
               r.feedback as comentario, ${isoTime(sql`r.created_at`)} as em
          from conversation_ratings r join conversations v on v.id = r.conversation_id
         where v.id = ${any(conversationIds)} order by r.created_at, r.id`,
  )
}

/** Who did something with the person's data, or looked at it, by the audit. */
export function listAccessData(db: Db, { contactIds, conversationIds }: Person): Promise<AccessData[]> {
  const texts = (ids: readonly number[]) => sql`any(${sql.param(ids.map(String))}::text[])`
  return rows<AccessData>(
    db,
    sql`select ${isoTime(sql`l.created_at`)} as em,
               coalesce(u.name, case l.origin when 'system' then 'Sistema' else 'Administração' end) as quem,
               l.action as acao, l.repeats as vezes,
               case when l.resource_type = 'contact' then 'contato'
                    else 'conversa ' || coalesce(v.protocol, l.resource_id) end as objeto
          from audit_logs l left join users u on u.id = l.user_id
               left join conversations v
                      on l.resource_type = 'conversation' and v.id::text = l.resource_id
         where (l.resource_type = 'contact' and l.resource_id = ${texts(contactIds)})
            or (l.resource_type = 'conversation' and l.resource_id = ${texts(conversationIds)})
         order by l.created_at, l.id`,
  )
}

export function listFileData(db: Db, { contactIds, conversationIds }: Person): Promise<FileData[]> {
  return rows<FileData>(
    db,
    sql`select f.name, f.message_id as "messageId", m.file_name as "fileName", f.mime_type as "mimeType",
               f.size_bytes::float8 as "sizeBytes"
          from files f left join messages m on m.id = f.message_id
         where m.conversation_id = ${any(conversationIds)} or f.contact_id = ${any(contactIds)}
         order by f.id`,
  )
}

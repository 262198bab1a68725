import type pg from 'pg'
import { migrateDatabase, openDatabase } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'

export interface DataSize {
  /** Of every twenty, one is active, one waits in the queue, and the others are completed. */
  conversations: number
  messagesEach: number
  /** Messages in `longConversation`. */
  longest: number
}

export const operators = 200
/** The active conversation with `longest` messages. */
export const longConversation = 20

/** Ids of the active conversations, which are also those of their contacts. */
export const openOnes = (size: DataSize) =>
  Array.from({ length: Math.floor(size.conversations / 20) }, (_, n) => (n + 1) * 20)

export const phoneOf = (contact: number) => `55119${String(contact).padStart(8, '0')}`
export const tokenOf = (operator: number) => `bench-operator-${operator}`

const firsts = ['Mariana', 'João', 'Ana', 'Pedro', 'Luiza', 'Carlos', 'Beatriz', 'Rafael', 'Camila', 'Bruno']
const lasts = ['Souza', 'Oliveira', 'Santos', 'Pereira', 'Lima', 'Costa', 'Almeida', 'Ferreira', 'Rocha']
const sqlList = (words: string[]) => `array[${words.map((word) => `'${word}'`).join(',')}]`

/** SQL expressions in `n` (and `k`) that give both databases the same people, conversations and texts. */
export const sql = {
  phone: `'55119' || lpad(n::text, 8, '0')`,
  name: `(${sqlList(firsts)})[1 + n % ${firsts.length}] || ' ' ||
    (${sqlList(lasts)})[1 + n / 7 % ${lasts.length}] || ' ' || n`,
  status: `case n % 20 when 0 then 'active' when 1 then 'waiting' else 'completed' end`,
  startedAt: `now() - case when n % 20 < 2 then n % 480 * interval '1 minute'
                           else interval '1 day' + n % 8000 * interval '1 hour' end
    - interval '1 day'`,
  content: `'Mensagem ' || k || ' da conversa ' || n ||
    ': gostaria de saber do pedido e da entrega, por favor.'`,
}

/** A FROM item with one row per message: `n` is its conversation and `k` its position there. */
export const everyMessage = ({ conversations, messagesEach, longest }: DataSize) =>
  `(select n, k from generate_series(1, ${conversations}) n, generate_series(1, ${messagesEach}) k
     union all select ${longConversation}, k from generate_series(${messagesEach} + 1, ${longest}) k) spoken`

/** Runs statements one after another. */
export async function fill(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

interface Connection {
  instanceName: string
  gatewayUrl: string
  apiKey: string
  webhookSecret: string
}

const productStatements = (size: DataSize) => [
  `insert into users (id, username, email, password_hash, name, role) overriding system value
     select n, 'bench' || n, 'bench' || n || '@teste.example', '-', 'Operador ' || n,
            case n when ${operators + 1} then 'admin' else 'operator' end
       from generate_series(1, ${operators + 1}) n`,
  `insert into sessions (token_hash, user_id)
     select rtrim(translate(
              encode(sha256(convert_to('bench-operator-' || n, 'UTF8')), 'base64'), '+/', '-_'), '='), n
       from generate_series(1, ${operators + 1}) n`,
  `insert into contacts (id, name, phone, has_gateway_name, gateway_named_at) overriding system value
     select n, ${sql.name}, ${sql.phone}, true, now() - interval '1 year'
       from generate_series(1, ${size.conversations}) n`,
  `insert into contact_identities (contact_id, kind, value, jid)
     select n, 'phone', ${sql.phone}, ${sql.phone} || '@s.whatsapp.net'
       from generate_series(1, ${size.conversations}) n`,
  `insert into conversations (id, instance_id, contact_id, protocol, assigned_user_id, status, sub_status,
                              waiting_for, waiting_since, started_at, completed_at, last_activity_at,
                              message_count) overriding system value
     select n, 1, n, '20200101' || lpad(n::text, 6, '0'),
            case when n % 20 <> 1 then 1 + n / 20 % ${operators} end, ${sql.status},
            case n % 20 when 1 then 'FILA' else 'OPERADOR' end,
            case n % 20 when 1 then 'operator' else 'client' end,
            case n % 20 when 1 then ${sql.startedAt} end, ${sql.startedAt},
            case when n % 20 > 1 then ${sql.startedAt} + interval '1 hour' end,
            ${sql.startedAt} + interval '1 hour',
            case n when ${longConversation} then ${size.longest} else ${size.messagesEach} end
       from generate_series(1, ${size.conversations}) n`,
  `insert into queue_pending_conversations (conversation_id, contact_id)
     select n, n from generate_series(1, ${size.conversations}) n where n % 20 = 1`,
  `insert into messages (conversation_id, instance_id, sender_id, sender_type, content, whatsapp_message_id,
                         delivery_status, sort_at, sent_at, created_at)
     select n, 1, case when k % 2 = 0 then 1 + n / 20 % ${operators} end,
            case when k % 2 = 0 then 'user' else 'contact' end,
            ${sql.content}, 'SET' || n || '-' || k, case when k % 2 = 0 then 'read' end, at, at, at
       from ${everyMessage(size)}, lateral (select ${sql.startedAt} + k * interval '1 second' as at) times
      order by at`,
  `update conversations c set last_message_id = m.id
     from (select distinct on (conversation_id) conversation_id, id from messages
            order by conversation_id, sort_at desc, id desc) m
    where m.conversation_id = c.id`,
]

/** Migrates the product's database and fills it with users, sessions, a connection and conversations. */
export async function fillProduct(
  url: string,
  size: DataSize,
  number: Connection,
  secrets: Secrets,
): Promise<void> {
  const database = openDatabase({
    connection: { connectionString: url },
    log: createLog('silent'),
    poolSize: 2,
  })
  try {
    await migrateDatabase(database)
    // Automatic messages depend on the time of day, and the floor sends none.
    await resetSettings(database)
    const client = await database.pool.connect()
    try {
      await client.query(`set session_replication_role = replica; set statement_timeout = 0`)
      const sealed = (text: string) => secrets.encrypt(text)
      await client.query(
        `insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url, status,
                                           pace_per_second, webhook_secret_encrypted, webhook_set_at)
           values ($1, $2, 'nch1', $3, 'open', 5000, $4, now())`,
        [number.instanceName, sealed(number.apiKey), number.gatewayUrl, sealed(number.webhookSecret)],
      )
      await fill(client, productStatements(size))
      for (const table of ['users', 'contacts', 'conversations'])
        await client.query(
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
        )
      await client.query(`select setval('conversation_protocol', 0)`)
    } finally {
      client.release(true)
    }
    await database.pool.query('vacuum analyze')
  } finally {
    await database.close()
  }
}

import fastify from 'fastify'
import pg from 'pg'
import { WebSocketServer, type WebSocket } from 'ws'

/**
 * The floor: a server that does only the necessary work of each scenario, without sessions, permissions or
 * audit, as the lower bound of a run. The bench starts it with DATABASE_URL and PORT.
 */
const connectionString = process.env['DATABASE_URL'] ?? ''
const pool = new pg.Pool({ connectionString, max: 10 })
const app = fastify({ logger: false })
const sockets = new Set<WebSocket>()

interface Incoming {
  phone: string
  name: string
  id: string
  text: string
}
interface Reply {
  conversation: number
  clientId: string
  text: string
}

const broadcast = (frame: string) => {
  for (const socket of sockets) socket.send(frame)
}

const listColumns = `select c.id, c.status, c.operator, c.started_at, c.last_at, c.message_count, p.name,
    p.phone,
    json_build_object('id', m.id, 'content', m.content, 'sender', m.sender, 'at', m.at) as last_message
  from conversations c join contacts p on p.id = c.contact_id left join messages m on m.id = c.last_message_id
 where c.status <> 'completed'`

const messagePage = `select id, conversation_id, sender, content, external_id, client_id, at from messages
  where conversation_id = $1 and ($2::int is null or (at, id) < (select b.at, b.id from messages b
        where b.id = $2))
  order by at desc, id desc limit $3`

app.get('/healthz', () => ({ ok: true }))

app.get<{ Querystring: { after?: string; search?: string; all?: string } }>('/list', async ({ query }) => {
  if (query.all) return (await pool.query(`${listColumns} order by c.last_at desc, c.id desc`)).rows
  if (query.search) {
    const like = `%${query.search}%`
    const found = `${listColumns} and (p.name ilike $1 or p.phone like $1)
      order by c.last_at desc, c.id desc limit 50`
    return (await pool.query({ name: 'search', text: found, values: [like] })).rows
  }
  const after = query.after ? Number(query.after) : null
  const text = `${listColumns} and ($1::int is null
      or (c.last_at, c.id) < (select a.last_at, a.id from conversations a where a.id = $1))
    order by c.last_at desc, c.id desc limit 50`
  return (await pool.query({ name: 'page', text, values: [after] })).rows
})

app.get<{ Querystring: { conversation: string; before?: string; limit?: string } }>(
  '/messages',
  async ({ query }) => {
    const values = [
      Number(query.conversation),
      query.before ? Number(query.before) : null,
      Number(query.limit ?? 20),
    ]
    return (await pool.query({ name: 'messages', text: messagePage, values })).rows.reverse()
  },
)

const floorIn = 'select floor_in($1, $2, $3, $4)'
const valuesOf = ({ phone, name, id, text }: Incoming) => [phone, name, id, text]

app.post<{ Body: Incoming }>('/in', async ({ body }) => {
  await pool.query({ name: 'in', text: floorIn, values: valuesOf(body) })
  return { ok: true }
})

app.post<{ Body: Incoming }>('/in-notify', async ({ body }) => {
  const text = 'select floor_notify(floor_in($1, $2, $3, $4))'
  await pool.query({ name: 'in-notify', text, values: valuesOf(body) })
  return { ok: true }
})

app.post<{ Body: Reply }>('/reply', async ({ body: { conversation, clientId, text: content } }) => {
  const text = 'select floor_notify(floor_reply($1, $2, $3))'
  await pool.query({ name: 'reply', text, values: [conversation, clientId, content] })
  return { ok: true }
})

/** The raw cost of `ws`, without a database. */
app.post<{ Body: Incoming }>('/raw', ({ body }) => {
  broadcast(`{"type":"message","data":${JSON.stringify({ ...body, filler: 'x'.repeat(300) })}}`)
  return { ok: true }
})

const acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false })
app.server.on('upgrade', (request, duplex, head) => {
  acceptor.handleUpgrade(request, duplex, head, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.terminate())
  })
})

const listener = new pg.Client({ connectionString })
await listener.connect()
listener.on('notification', ({ payload }) => broadcast(`{"type":"message","data":${payload}}`))
await listener.query('listen floor')
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })

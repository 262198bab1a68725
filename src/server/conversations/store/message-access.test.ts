import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTrackingType, messageTypes } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { rows } from '#server/platform/database/db.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let t: TestApp
let id: number
const people = new Map<string, Client>()

beforeAll(async () => {
  t = await testApp()
  for (const role of ['operator', 'supervisor', 'admin'] as const) people.set(role, await t.signIn(role))
  const { conversation } = await newTalk(t, people.get('admin') as Client)
  id = conversation.id
})
afterAll(() => t.close())

let last = 0
/** A message of the kind that was sent to the client. */
async function messageOf(messageType: string): Promise<number> {
  const [row] = await rows<{ id: number }>(
    t.database,
    sql`insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
                              sent_at, whatsapp_message_id, delivery_status)
        select id, instance_id, 'user', 'Você é o 3º da fila', ${messageType}, app_now(), app_now(),
               ${`TRACK-${++last}`}, 'failed' from conversations where id = ${id} returning id`,
  )
  return row?.id ?? 0
}

const inTalk = (rest: string) => `/api/conversations/${id}/${rest}`

/** Every call that takes a message's id. */
const calls: [string, string, (messageId: number) => [path: string, body?: object]][] = [
  ['PUT', 'a reaction', (m) => [inTalk(`messages/${m}/reaction`), { emoji: '👍' }]],
  ['POST', 'another try', (m) => [inTalk(`messages/${m}/retry`)]],
  ['GET', 'its earlier texts', (m) => [inTalk(`messages/${m}/versions`)]],
  ['GET', 'its details', (m) => [inTalk(`messages/${m}/details`)]],
  ['POST', 'forwarding it', (m) => [inTalk(`messages/${m}/forward`), { to: { conversationId: id } }]],
  ['PUT', 'an edit', (m) => [inTalk(`messages/${m}`), { content: 'outra coisa' }]],
  ['POST', 'undoing it', (m) => [inTalk(`messages/${m}/undo`)]],
  ['DELETE', 'a deletion', (m) => [inTalk(`messages/${m}`)]],
  ['PUT', 'a draft that quotes it', (m) => [inTalk('draft'), { content: 'sobre isto', quotedMessageId: m }]],
  [
    'POST',
    'a reply that quotes it',
    (m) => [inTalk('messages'), { content: 'sobre isto', quotedMessageId: m }],
  ],
  ['GET', 'its file', (m) => [`/api/media/evolution/${m}`]],
]

test.each(messageTypes.filter(isTrackingType))(
  'no call tells anybody but an administrator of a message of the kind %s',
  async (messageType) => {
    const messageId = await messageOf(messageType)
    for (const [method, what, of] of calls)
      for (const [role, who] of people) {
        const [path, body] = of(messageId)
        const { status, body: answer } = await who.request(method, path, body)
        if (role !== 'admin')
          expect({ what, role, status, code: answer?.code }).toEqual({
            what,
            role,
            status: 404,
            code: 'messages.not_found',
          })
        else expect(['messages.not_found', 'conversations.not_found'], what).not.toContain(answer?.code)
      }
  },
)

test('a quotation of one is shown to everybody as an automatic message', async () => {
  const messageId = await messageOf('queue_position')
  await t.database.execute(
    sql`insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
                              sent_at, whatsapp_message_id, quoted_whatsapp_id, quoted_content)
        select m.conversation_id, m.instance_id, 'contact', 'e quanto falta?', 'text', app_now(), app_now(),
               'QUOTING', m.whatsapp_message_id, m.content from messages m where m.id = ${messageId}`,
  )
  for (const who of people.values()) {
    const { body } = await who.request<Message[]>('GET', `/api/conversations/${id}/messages`)
    expect(body.find(({ content }) => content === 'e quanto falta?')?.quoted).toMatchObject({
      messageId: null,
      content: 'Mensagem automática',
    })
  }
})

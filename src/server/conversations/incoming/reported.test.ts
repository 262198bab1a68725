import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { findConfigByName } from '#server/gateway/instances/queries.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

// What people reported of other systems, through the real webhook.

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const own = '5511955554444@s.whatsapp.net'
let count = 0

/** Posts a message of the client as the gateway does. @returns its id */
async function post(remoteJid: string, message: object, data: object = {}): Promise<string> {
  const id = `REPORTED${++count}`
  const config = await findConfigByName(t.database, 'loja1')
  const secret = t.app.secrets.decrypt(config?.webhookSecretEncrypted ?? '')
  const body = {
    event: 'messages.upsert',
    instance: 'loja1',
    sender: own,
    data: {
      key: { remoteJid, fromMe: false, id },
      message,
      messageTimestamp: Math.floor(Date.now() / 1000),
      ...data,
    },
  }
  const proof = { authorization: `Bearer ${secret}` }
  expect((await t.request('POST', '/api/webhook/evolution', body, proof)).status).toBe(200)
  return id
}

async function messageOf(waId: string): Promise<Message> {
  const [found] = await eventually(
    () =>
      t.sql<{ conversationId: number }>`select conversation_id as "conversationId" from messages
                                         where whatsapp_message_id = ${waId}`,
    ([row]) => row !== undefined,
  )
  const all = await ana.get<Message[]>(`/api/conversations/${found?.conversationId}/messages`)
  return all.find((one) => one.whatsappMessageId === waId) as Message
}

test.each([
  ['contact', '5541977710001@s.whatsapp.net'],
  ['user', own],
  [null, undefined],
])('the quote of a message that is not stored is by %s', async (senderType, participant) => {
  const quotedMessage = { conversation: 'Quero cancelar o contrato' }
  const contextInfo = { stanzaId: 'OLD', participant, quotedMessage }
  const id = await post('5541977710001@s.whatsapp.net', { conversation: 'e isso?' }, { contextInfo })
  expect((await messageOf(id)).quoted).toMatchObject({ senderType, content: 'Quero cancelar o contrato' })
})

test.each([
  [
    'what the client wrote',
    { senderType: 'contact', messageType: 'text', content: 'Quero cancelar o contrato' },
    'você não respondeu isso',
    {
      stanzaId: 'OLD1',
      participant: '5541977710001@s.whatsapp.net',
      quotedMessage: { conversation: 'Quero cancelar o contrato' },
    },
  ],
  [
    'what the client said',
    { senderType: 'contact', messageType: 'audio', content: '' },
    'e o áudio?',
    {
      stanzaId: 'OLD2',
      participant: '5541977710001@s.whatsapp.net',
      quotedMessage: { audioMessage: { seconds: 7, ptt: true, mimetype: 'audio/ogg; codecs=opus' } },
    },
  ],
  [
    'what the team wrote',
    { senderType: 'user', messageType: 'text', content: 'Entregamos sexta' },
    'vocês prometeram',
    { stanzaId: 'OLD3', participant: own, quotedMessage: { conversation: 'Entregamos sexta' } },
  ],
  [
    'our status with words',
    { senderType: 'user', messageType: 'image', content: 'Oferta: cesta de Natal', isStatus: true },
    'quanto custa esse?',
    {
      stanzaId: 'ST1',
      participant: own,
      remoteJid: 'status@broadcast',
      quotedMessage: { imageMessage: { caption: 'Oferta: cesta de Natal', mimetype: 'image/jpeg' } },
    },
  ],
])('a reply to %s quotes it from beside the message', async (_what, quoted, conversation, contextInfo) => {
  const id = await post('5541977710001@s.whatsapp.net', { conversation }, { contextInfo })
  expect(await messageOf(id)).toMatchObject({ content: conversation, quoted })
})

test('a client with a hosted address is the one with the same number', async () => {
  const first = await messageOf(await post('5541977710002@hosted', { conversation: 'Bom dia' }))
  const second = await messageOf(await post('5541977710002@s.whatsapp.net', { conversation: 'Alguém?' }))
  expect(second.conversationId).toBe(first.conversationId)
  const lid = await messageOf(await post('182730012346@hosted.lid', { conversation: 'oi' }))
  const again = await messageOf(await post('182730012346@lid', { conversation: 'oi de novo' }))
  expect(again.conversationId).toBe(lid.conversationId)
})

test('a message from an address of an unknown form is kept aside, and one of a group is not', async () => {
  await post('1203630@g.us', { conversation: 'grupo' })
  const id = await post('41977710003@people.example', { conversation: 'oi' })
  const aside = await eventually(
    () => t.sql<{ id: string; deadReason: string }>`
      select payload #>> '{data,key,id}' as id, dead_reason as "deadReason"
        from webhook_inbox where dead_reason is not null`,
    (rows) => rows.length > 0,
  )
  expect(aside).toEqual([{ id, deadReason: 'unknown address' }])
})

test('an encrypted edit marks its message until a text comes, and opens nothing', async () => {
  const jid = '5541977710004@s.whatsapp.net'
  const sealed = (id: string) => ({
    targetMessageKey: { remoteJid: jid, fromMe: false, id },
    encPayload: 'AAAA',
    encIv: 'AAAA',
  })
  const edit = (id: string) => ({ secretEncryptedMessage: { ...sealed(id), secretEncType: 'MESSAGE_EDIT' } })
  const id = await post(jid, { conversation: 'Quero 3 caixas' })
  const before = await messageOf(id)
  await post(jid, { encReactionMessage: sealed(id) })
  await post(jid, edit(id))
  await post('5541977710005@s.whatsapp.net', edit('NEVER'))
  const marked = await eventually(
    () => messageOf(id),
    (one) => one.metadata.unreadEditAt !== undefined,
  )
  expect(marked).toMatchObject({ content: 'Quero 3 caixas', editedAt: null })
  const [{ left } = { left: 0 }] = await eventually(
    () => t.sql<{ left: number }>`select count(*)::int as left from webhook_inbox
                                   where processed_at is null and dead_reason is null`,
    ([row]) => row?.left === 0,
  )
  expect(left).toBe(0)
  const conversations = await ana.get<Conversation[]>('/api/conversations')
  expect(conversations.some(({ contact }) => contact.phone === '5541977710005')).toBe(false)
  expect(conversations.find((one) => one.id === before.conversationId)).toMatchObject({ messageCount: 1 })
  const timestampMs = Date.now() + 5000
  const protocolMessage = {
    key: { id },
    type: 'MESSAGE_EDIT',
    timestampMs,
    editedMessage: { conversation: '4 caixas' },
  }
  await post(jid, { protocolMessage })
  const edited = await eventually(
    () => messageOf(id),
    (one) => one.editedAt !== null,
  )
  expect([edited.content, edited.metadata.unreadEditAt]).toEqual(['4 caixas', undefined])
})

test('content of an unknown kind without words is a line, and opens and counts nothing', async () => {
  const jid = '5541977710006@s.whatsapp.net'
  const strange = { hologramMessage: { url: 'https://x.y/z' } }
  const before = await messageOf(await post(jid, { conversation: 'oi' }))
  const conversationOf = async (phone: string) =>
    (await ana.get<Conversation[]>('/api/conversations')).find(({ contact }) => contact.phone === phone)
  const was = await conversationOf('5541977710006')
  await post(jid, strange)
  const path = `/api/conversations/${before.conversationId}/messages`
  const lines = await eventually(
    () => ana.get<Message[]>(path),
    (all) => all.length > 1,
  )
  expect(lines[1]).toMatchObject({
    messageType: 'event',
    senderName: null,
    metadata: { event: { act: 'not_shown', to: 'hologramMessage' } },
  })
  expect(await conversationOf('5541977710006')).toEqual(was)
  const id = await post('5541977710007@s.whatsapp.net', strange)
  const aside = await eventually(
    () => t.sql<{ reason: string }>`
      select dead_reason as reason from webhook_inbox where payload #>> '{data,key,id}' = ${id}
                                                        and dead_reason is not null`,
    (rows) => rows.length > 0,
  )
  expect(aside).toEqual([{ reason: 'unknown kind hologramMessage' }])
  expect(await conversationOf('5541977710007')).toBe(undefined)
  // What could not be decrypted was written by somebody.
  expect(await messageOf(await post('5541977710007@s.whatsapp.net', {}))).toMatchObject({
    messageType: 'unsupported',
  })
})

test.each([
  ['image', 'Oferta: cesta de Natal', { imageMessage: { caption: 'Oferta: cesta de Natal' } }, own],
  ['video', '', { videoMessage: { mimetype: 'video/mp4' } }, own],
  ['audio', '', { audioMessage: { ptt: true } }, '77@lid'],
])(
  'an answer to our status (%s) says so, and what the status was',
  async (messageType, content, status, by) => {
    const remoteJid = 'status@broadcast'
    const contextInfo = { stanzaId: 'ST1', participant: by, remoteJid, quotedMessage: status }
    const id = await post('5541977710001@s.whatsapp.net', {
      extendedTextMessage: { text: 'quanto custa?', contextInfo },
    })
    expect((await messageOf(id)).quoted).toMatchObject({
      senderType: 'user',
      messageType,
      content,
      isStatus: true,
    })
  },
)

test('a former quote without a text and a kind does not say that it was erased', async () => {
  const quoted = async (metadata: object, content: string | null) => {
    const contextInfo = { stanzaId: 'OLD', participant: own, quotedMessage: { imageMessage: {} } }
    const id = await post('5541977710031@s.whatsapp.net', { conversation: 'essa?' }, { contextInfo })
    await messageOf(id)
    await t.sql`update messages set quoted_content = ${content},
                  metadata = metadata - 'quote' || ${JSON.stringify(metadata)}::jsonb
                 where whatsapp_message_id = ${id}`
    return (await messageOf(id)).quoted
  }
  expect(await quoted({ quote: { type: 'image' } }, '')).toMatchObject({ messageType: 'image', content: '' })
  for (const former of [{}, { quote: { from: 'user' } }])
    expect(await quoted(former, '')).toMatchObject({ messageType: 'text', content: 'Mensagem sem texto' })
  // Whose text was erased, the browser shows as such.
  expect(await quoted({}, null)).toMatchObject({ messageType: 'text', content: '' })
  expect(await quoted({ quote: { type: 'image' } }, null)).toMatchObject({ messageType: 'text', content: '' })
})

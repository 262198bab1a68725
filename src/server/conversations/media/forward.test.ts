import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { userPermissions } from '#server/schema/users.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n')

interface Forwarded {
  conversation: Conversation
  message: Message
}
type To = { conversationId: number } | { contactId: number }
const forward = (message: Message, to: To, { who = ana, clientMessageId = 'forward-key-1' } = {}) =>
  who.request<Forwarded & ErrorBody>(
    'POST',
    `/api/conversations/${message.conversationId}/messages/${message.id}/forward`,
    { to, clientMessageId },
  )
const messagesOf = (id: number) => admin.get<Message[]>(`/api/conversations/${id}/messages`)
/** The client's last message, once it is stored with its file, if it is to have one. */
const received = async (id: number, isIt: (message: Message) => boolean) =>
  (await eventually(
    async () => (await messagesOf(id)).find((message) => message.senderType === 'contact' && isIt(message)),
    (message) => message !== undefined,
  )) as Message
const onPhone = (phoneId: string) =>
  t.simulator.control.chat(phoneId).filter(({ from }) => from === 'company')
const delivered = (phoneId: string, count: number) => eventually(() => onPhone(phoneId), { length: count })

test('a client’s text reaches another client, as a message of the person, marked as forwarded', async () => {
  const from = await newTalk(t, ana)
  const to = await newTalk(t, ana)
  const [source] = await messagesOf(from.conversation.id)
  const { status, body } = await forward(source as Message, { conversationId: to.conversation.id })
  expect(status).toBe(201)
  expect(body.message).toMatchObject({
    conversationId: to.conversation.id,
    content: 'oi',
    senderId: ana.userId,
    metadata: { isForwarded: true },
  })
  expect(body.conversation).toMatchObject({ id: to.conversation.id, assignedUserId: ana.userId })
  // Sent again by a browser that has no answer, it is the same message.
  const again = await forward(source as Message, { conversationId: to.conversation.id })
  expect(again.body.message.id).toBe(body.message.id)
  expect((await delivered(to.phoneId, 1)).map(({ text }) => text)).toEqual(['oi'])
})

test('pictures, documents and stickers are copied with their captions, and their sources stay', async () => {
  const from = await newTalk(t, ana)
  const to = await newTalk(t, ana)
  const { id } = from.conversation
  const { control } = t.simulator
  control.send(from.phoneId, { kind: 'image', base64: png.toString('base64'), caption: 'a foto' })
  control.send(from.phoneId, { kind: 'document', base64: pdf.toString('base64'), fileName: 'nota.pdf' })
  control.send(from.phoneId, { kind: 'sticker', base64: png.toString('base64') })
  const kinds = ['image', 'document', 'sticker'] as const
  for (const [n, messageType] of kinds.entries()) {
    const source = await received(id, (each) => each.messageType === messageType && each.fileUrl !== null)
    const { status, body } = await forward(
      source,
      { conversationId: to.conversation.id },
      { clientMessageId: `forward-file-${n}` },
    )
    expect({ messageType, status, code: body.code }).toEqual({ messageType, status: 201, code: undefined })
    expect(body.message.fileUrl).not.toBe(source.fileUrl)
    const [before, after] = await Promise.all(
      [source, body.message].map(async ({ fileUrl }) =>
        (
          await fetch(`${t.app.url}${fileUrl}`, { headers: { authorization: `Bearer ${ana.token}` } })
        ).arrayBuffer(),
      ),
    )
    expect(after).toEqual(before)
  }
  const arrived = await delivered(to.phoneId, 3)
  expect(arrived.map(({ kind, text, media }) => [kind, text, media?.fileName])).toEqual([
    ['image', 'a foto', 'arquivo.png'],
    ['document', '', 'nota.pdf'],
    ['image', '', 'arquivo.png'],
  ])
})

test('a forward to a contact opens a conversation, and to a blocked one it is refused', async () => {
  const from = await newTalk(t, ana)
  const to = await newTalk(t, ana)
  const { contactId, id } = to.conversation
  await admin.request('POST', `/api/conversations/${id}/finalize`, {})
  const [source] = await messagesOf(from.conversation.id)
  const { status, body } = await forward(source as Message, { contactId }, { who: admin })
  expect([status, body.conversation?.contactId, body.conversation?.initiatedBy]).toEqual([
    201,
    contactId,
    'operator',
  ])
  expect(body.conversation.id).not.toBe(id)
  // An operator may not begin conversations, and a completed one takes nothing.
  expect(await forward(source as Message, { contactId })).toMatchObject({ status: 403 })
  expect(await forward(source as Message, { conversationId: id })).toMatchObject(
    refusal(409, 'conversations.completed'),
  )
  await t.sql`update contacts set is_blocked = true where id = ${contactId}`
  expect(
    await forward(source as Message, { contactId }, { who: admin, clientMessageId: 'forward-key-2' }),
  ).toMatchObject({ status: 403, body: { code: 'contacts.blocked' } })
})

test('what WhatsApp shows once, what is deleted, and what is neither text nor file is refused', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  const refused = async (source: Message) =>
    expect(await forward(source, { conversationId: conversation.id })).toMatchObject(
      refusal(409, 'messages.not_forwardable'),
    )
  t.simulator.control.send(phoneId, {
    kind: 'location',
    latitude: 1,
    longitude: 2,
    name: 'Praça',
    address: '',
  })
  await refused(await received(conversation.id, ({ messageType }) => messageType === 'location'))
  const [first] = await messagesOf(conversation.id)
  await t.sql`update messages set metadata = '{"isViewOnce": true}' where id = ${first?.id}`
  await refused(first as Message)
  await t.sql`update messages set metadata = '{}', deleted_at = app_now() where id = ${first?.id}`
  await refused(first as Message)
})

test('a file is not forwarded by who may not get or send files, and not without its bytes', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  t.simulator.control.send(phoneId, {
    kind: 'document',
    base64: pdf.toString('base64'),
    fileName: 'nota.pdf',
  })
  const source = await received(conversation.id, ({ fileUrl }) => fileUrl !== null)
  const bia = await t.signIn('operator', 'bia')
  const to = { conversationId: conversation.id }
  for (const flag of ['canDownloadMedia', 'canUploadMedia']) {
    const flags = { ...defaultFlags('operator'), [flag]: false }
    await t.database.insert(userPermissions).values({ userId: bia.userId, flags })
    expect(await forward(source, to, { who: bia })).toMatchObject({ status: 403 })
    await t.database.delete(userPermissions).where(eq(userPermissions.userId, bia.userId))
  }
  expect(await forward(source, to, { who: bia })).toMatchObject({ status: 201 })
  const [file] = await t.sql<{ name: string }>`select name from files where message_id = ${source.id}`
  await t.sql`update files set name = 'gone_gone_gone_gone' where name = ${file?.name}`
  expect(await forward(source, to, { clientMessageId: 'forward-key-3' })).toMatchObject(
    refusal(502, 'media.unavailable'),
  )
})

test('a message of a conversation that one does not see is not found', async () => {
  const from = await newTalk(t, ana)
  const to = await newTalk(t, ana)
  await admin.request('POST', `/api/conversations/${from.conversation.id}/finalize`, {})
  const [source] = await messagesOf(from.conversation.id)
  expect(await forward(source as Message, { conversationId: to.conversation.id })).toMatchObject({
    status: 404,
  })
})

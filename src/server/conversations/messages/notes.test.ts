import { expect, test } from 'vitest'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { newPhoneMessageId } from '#simulator/random.ts'
import { saying } from '#server/testing/test-person.ts'
import { recount } from '#server/conversations/store/write.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, formOf, refusal, testApp } from '#server/testing/test-app.ts'
import { indexAll } from '#server/conversations/archive/search-index.ts'
import { adoptPhoneMessages } from '#server/conversations/incoming/history.ts'
import { computeFacts } from '#server/reports/facts-worker.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const rita = forAllTests(() => t.signIn('supervisor', 'rita'))

const talk = async () => await given.conversation(t, ana)
const readTalk = (id: number, who = ana) => who.get<Conversation>(`/api/conversations/${id}`)
const timelineOf = (id: number, who = ana) => who.get<Message[]>(`/api/conversations/${id}/messages`)
const noteIn = (id: number, content: string, who = ana, clientMessageId?: string) =>
  who.request<Message>('POST', `/api/conversations/${id}/notes`, {
    content,
    ...(clientMessageId && { clientMessageId }),
  })
const written = async (id: number, content: string, who: Client = ana) =>
  (await noteIn(id, content, who)).body
const finish = async (id: number, who = ana) => {
  await who.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: who.userId })
  await who.request('POST', `/api/conversations/${id}/finalize`, {})
}
const later = (id: number, minutes: number) =>
  t.sql`update messages set created_at = created_at - ${minutes} * interval '1 minute' where id = ${id}`

test('a note is an entry of the timeline that is of the team alone', async () => {
  const { id } = await talk()
  const answer = await noteIn(id, 'pode dar 8 % de desconto')
  expect(answer).toMatchObject({
    status: 201,
    body: {
      messageType: 'note',
      senderType: 'user',
      senderId: ana.userId,
      senderName: 'Ana',
      content: 'pode dar 8 % de desconto',
      deliveryStatus: null,
      whatsappMessageId: null,
    },
  })
  expect((await timelineOf(id, bruno)).at(-1)).toEqual(answer.body)
  await t.settled()
  expect(await t.sql`select 1 from outbox where conversation_id = ${id}`).toEqual([])
})

test('a note changes nothing that is counted, shown or waited for', async () => {
  const { id } = await talk()
  const before = await readTalk(id)
  await noteIn(id, 'cliente antigo')
  expect(await readTalk(id)).toEqual(before)
  await inTransaction(t.database, async (db) => {
    await lockConversation(db, id)
    await recount(db, id)
  })
  const { messageCount, contactMessageCount, lastMessage } = await readTalk(id)
  expect({ messageCount, contactMessageCount, lastMessage }).toEqual({
    messageCount: before.messageCount,
    contactMessageCount: before.contactMessageCount,
    lastMessage: before.lastMessage,
  })
  await computeFacts(t.database)
  const facts = await t.sql`
    select first_reply_at as "firstReplyAt" from conversation_facts where conversation_id = ${id}`
  expect(facts).toEqual([{ firstReplyAt: null }])
})

test('a message that was slow is the last one, whatever the team noted or did meanwhile', async () => {
  const { id, contact } = await talk()
  await t.sql`
    update messages set sort_at = sort_at - interval '1 hour', sent_at = sent_at - interval '1 hour'
     where conversation_id = ${id}`
  const slow = (text: string, minutes: number) =>
    inTransaction(t.database, async (db) => {
      await handleGatewayEvent(db, t.instanceId, {
        kind: 'message',
        waId: newPhoneMessageId(),
        peer: { phone: contact.phone ?? '', lid: undefined, jid: `${contact.phone}@s.whatsapp.net` },
        origin: 'contact',
        name: contact.name,
        sentAt: new Date(Date.now() - minutes * 60_000),
        content: saying(text),
        quoted: undefined,
        isHistory: false,
      })
    })
  await noteIn(id, 'vou ver com o estoque')
  await slow('e o prazo?', 20)
  expect((await readTalk(id)).lastMessage?.content).toBe('e o prazo?')
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await slow('é urgente', 10)
  expect((await readTalk(id)).lastMessage?.content).toBe('é urgente')
  await slow('esta veio antes', 15)
  expect((await readTalk(id)).lastMessage?.content).toBe('é urgente')
})

test('a repeated call with the same id of the browser writes one note', async () => {
  const { id } = await talk()
  const [one, two] = await Promise.all([
    noteIn(id, 'uma vez', ana, 'nota-uma-vez'),
    noteIn(id, 'uma vez', ana, 'nota-uma-vez'),
  ])
  expect(two.body.id).toBe(one.body.id)
  expect((await timelineOf(id)).filter(({ messageType }) => messageType === 'note')).toHaveLength(1)
})

test('the database itself refuses a note in the outbox and a message that becomes one', async () => {
  const { id } = await talk()
  const note = await written(id, 'fica aqui')
  const sent = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content: 'vai' })
  const intoOutbox = t.sql`insert into outbox (instance_id, conversation_id, message_id)
    values (${t.instanceId}, ${id}, ${note.id})`
  await expect(intoOutbox).rejects.toThrow()
  const moved = t.sql`update outbox set message_id = ${note.id} where message_id = ${sent.body.id}`
  await expect(moved).rejects.toThrow()
  await expect(t.sql`update messages set message_type = 'text' where id = ${note.id}`).rejects.toThrow()
  await expect(t.sql`update messages set message_type = 'note' where id = ${sent.body.id}`).rejects.toThrow()
  await expect(t.sql`update messages set delivery_status = 'pending' where id = ${note.id}`).rejects.toThrow()
  await expect(t.sql`update messages set whatsapp_message_id = 'X1' where id = ${note.id}`).rejects.toThrow()
})

test('every call that could send a note refuses it and says why', async () => {
  const { id } = await talk()
  const { id: messageId } = await written(id, 'não é para o cliente')
  const base = `/api/conversations/${id}`
  const of = `${base}/messages/${messageId}`
  const calls: [string, string, unknown?][] = [
    ['POST', `${base}/messages`, { content: 'oi', quotedMessageId: messageId }],
    ['PUT', `${base}/draft`, { content: 'oi', quotedMessageId: messageId }],
    ['POST', `${of}/forward`, { to: { conversationId: id } }],
    ['POST', `${of}/retry`],
    ['PUT', `${of}/reaction`, { emoji: '👍' }],
    ['PUT', of, { content: 'outra' }],
    ['DELETE', of],
    ['POST', `${of}/undo`],
  ]
  for (const [method, path, body] of calls)
    expect([method, path, await ana.request(method, path, body)]).toMatchObject([
      method,
      path,
      { status: 422, body: { code: 'messages.is_note' } },
    ])
})

test('its author edits a note within 15 minutes, and the earlier text is kept', async () => {
  const { id } = await talk()
  const note = await written(id, 'até 800')
  const path = `/api/conversations/${id}/notes/${note.id}`
  const edited = await ana.request<Message>('PATCH', path, { content: 'até 900' })
  expect(edited).toMatchObject({ status: 200, body: { content: 'até 900', version: note.version + 1 } })
  expect(edited.body.editedAt).not.toBeNull()
  expect(await ana.get(`/api/conversations/${id}/messages/${note.id}/versions`)).toMatchObject([
    { content: 'até 800' },
  ])
  expect(await bruno.request('PATCH', path, { content: 'x' })).toMatchObject(refusal(403, 'notes.not_yours'))
  expect(await rita.request('PATCH', path, { content: 'x' })).toMatchObject(refusal(403, 'notes.not_yours'))
  await later(note.id, 16)
  expect(await ana.request('PATCH', path, { content: 'x' })).toMatchObject(refusal(409, 'notes.too_late'))
})

test('its author deletes a note within 15 minutes, and whoever leads any at any time', async () => {
  const { id } = await talk()
  const first = await written(id, 'some já')
  const path = (messageId: number) => `/api/conversations/${id}/notes/${messageId}`
  await ana.request('PATCH', path(first.id), { content: 'some agora' })
  expect(await bruno.request('DELETE', path(first.id))).toMatchObject(refusal(403, 'notes.not_yours'))
  const gone = await ana.request<Message>('DELETE', path(first.id))
  expect(gone).toMatchObject({ status: 200, body: { content: '', messageType: 'note' } })
  expect(gone.body.deletedAt).not.toBeNull()
  expect(await t.sql`select 1 from message_versions where message_id = ${first.id}`).toEqual([])
  expect(await ana.request('PATCH', path(first.id), { content: 'x' })).toMatchObject(
    refusal(409, 'notes.gone'),
  )
  const second = await written(id, 'de ontem')
  await later(second.id, 24 * 60)
  expect(await ana.request('DELETE', path(second.id))).toMatchObject(refusal(409, 'notes.too_late'))
  expect(await rita.request('DELETE', path(second.id))).toMatchObject({
    status: 200,
    body: { metadata: { deletedBy: 'Rita' } },
  })
  const acts = await t.sql<{ action: string; userId: number; details: unknown }>`
    select action, user_id as "userId", details from audit_logs
     where resource_type = 'conversation' and resource_id = ${String(id)} order by id`
  expect(acts.map(({ action, userId }) => [action, userId])).toEqual([
    ['conversation.note', ana.userId],
    ['conversation.edit_note', ana.userId],
    ['conversation.delete_note', ana.userId],
    ['conversation.note', ana.userId],
    ['conversation.delete_note', rita.userId],
  ])
  expect(acts.at(-1)?.details).toEqual({ messageId: second.id, authorId: ana.userId })
})

test('the calls about notes find no other message', async () => {
  const { id } = await talk()
  const sent = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, { content: 'vai' })
  const path = `/api/conversations/${id}/notes/${sent.body.id}`
  expect(await ana.request('PATCH', path, { content: 'x' })).toMatchObject(refusal(404, 'messages.not_found'))
  expect(await ana.request('DELETE', path)).toMatchObject(refusal(404, 'messages.not_found'))
})

test('a completed conversation takes notes of those who may read it, and stays as it ended', async () => {
  const { id } = await talk()
  await finish(id)
  const before = await readTalk(id)
  expect(await noteIn(id, 'voltou a ligar', ana)).toMatchObject({ status: 201 })
  expect(await noteIn(id, 'vi também', rita)).toMatchObject({ status: 201 })
  const after = await readTalk(id)
  expect({ ...after, version: 0 }).toEqual({ ...before, version: 0 })
  // Bruno does not read the archive; a moment ago it was open.
  expect(await noteIn(id, 'eu não', bruno)).toMatchObject(refusal(409, 'conversations.completed'))
  await t.sql`update conversations set completed_at = completed_at - interval '1 hour' where id = ${id}`
  expect(await noteIn(id, 'eu não', bruno)).toMatchObject(refusal(404, 'conversations.not_found'))
})

test('a note is pushed to those who read the conversation', async () => {
  const { id } = await talk()
  const tab = await connectLive(t.app.url, { token: bruno.token })
  const note = await written(id, 'chega na hora')
  const pushed = await tab.heard('new_message', ({ data }) => data.message.id === note.id)
  expect(pushed.data.message).toEqual(note)
  await tab.close()
})

test('a note is found in the chat, among the open conversations and in the archive', async () => {
  const { id } = await talk()
  const note = await written(id, 'quebracabeça do faturamento')
  expect(await ana.get(`/api/conversations/${id}/messages/search?words=quebracabeça`)).toMatchObject({
    ids: [note.id],
  })
  await indexAll(t.database)
  const found = await ana.get<{ conversations: { id: number; hits: unknown[] }[] }>(
    '/api/conversations/search?search=quebracabeça',
  )
  expect(found.conversations).toMatchObject([{ id, hits: [{ messageId: note.id, isNote: true }] }])
  await finish(id)
  const second = await written(id, 'desembaraço posterior')
  await indexAll(t.database)
  const page = await ana.get<ArchivedPage>('/api/conversations/archived?search=desembaraço')
  expect(page.conversations).toMatchObject([{ id, hits: [{ messageId: second.id, isNote: true }] }])
  const other = await talk()
  await finish(other.id)
  const withNotes = await ana.get<ArchivedPage>('/api/conversations/archived?notes=with')
  expect(withNotes.conversations.map((row) => row.id)).toContain(id)
  expect(withNotes.conversations.map((row) => row.id)).not.toContain(other.id)
})

test('the newest notes of a conversation are listed with their number', async () => {
  const { id } = await talk()
  for (const n of [1, 2, 3, 4]) await noteIn(id, `nota ${n}`)
  const gone = await written(id, 'nota 5')
  await ana.request('DELETE', `/api/conversations/${id}/notes/${gone.id}`)
  expect(await bruno.get(`/api/conversations/${id}/notes`)).toMatchObject({
    total: 4,
    notes: [{ content: 'nota 4', senderName: 'Ana' }, { content: 'nota 3' }, { content: 'nota 2' }],
  })
})

test('a file is kept in a note, is served to the team, and goes with the note', async () => {
  const { id } = await talk()
  const fields = {
    conversationId: id,
    isNote: 'true',
    caption: 'segue a ficha',
    clientMessageId: 'nota-ficha',
  }
  const answer = await ana.request<{ message: Message; fileUrl: string }>(
    'POST',
    '/api/media/upload',
    formOf(fields, 'ficha.pdf', '%PDF-1.4 ficha'),
  )
  const { message, fileUrl } = answer.body
  expect(answer.status).toBe(201)
  expect(message).toMatchObject({
    messageType: 'note',
    content: 'segue a ficha',
    fileName: 'ficha.pdf',
    fileMimeType: 'application/pdf',
    deliveryStatus: null,
  })
  const again = await ana.request<{ message: Message }>(
    'POST',
    '/api/media/upload',
    formOf(fields, 'ficha.pdf', '%PDF-1.4 ficha'),
  )
  expect(again.body.message.id).toBe(message.id)
  expect(await bruno.request('GET', `${fileUrl}?download=1`)).toMatchObject({ status: 200 })
  await t.settled()
  expect(await t.sql`select 1 from outbox where conversation_id = ${id}`).toEqual([])
  await ana.request('DELETE', `/api/conversations/${id}/notes/${message.id}`)
  expect(await bruno.request('GET', `${fileUrl}?download=1`)).toMatchObject({ status: 404 })
  expect(
    await t.sql`select is_erased as "isErased" from files where name = ${fileUrl.split('/').at(-1) ?? ''}`,
  ).toEqual([{ isErased: true }])
})

test('a file of a note needs a conversation that the person may read', async () => {
  const { id, contactId } = await talk()
  const upload = (who: Client, fields: Record<string, string | number>) =>
    who.request('POST', '/api/media/upload', formOf({ ...fields, isNote: 'true' }, 'a.txt', 'a'))
  expect(await upload(ana, { contactId })).toMatchObject({ status: 400 })
  await finish(id)
  expect(await upload(bruno, { conversationId: id })).toMatchObject(refusal(409, 'conversations.completed'))
  expect(await upload(rita, { conversationId: id })).toMatchObject({ status: 201 })
})

test('a file of a conversation has its notes only if somebody wants them', async () => {
  const { id } = await talk()
  await noteIn(id, 'desconto de 8 %')
  await finish(id)
  const read = async (query: string) => {
    const address = `${t.app.url}/api/conversations/archived/${id}/export?${query}`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${ana.token}` } })
    return answer.text()
  }
  for (const format of ['text', 'html']) {
    expect(await read(`format=${format}`)).not.toContain('desconto de 8 %')
    const whole = await read(`format=${format}&notes=with`)
    expect(whole).toContain('desconto de 8 %')
    expect(whole).toContain('[Nota interna]')
  }
  const exports = await t.sql<{ details: Record<string, unknown> }>`
    select details from audit_logs where action = 'conversation.export' and resource_id = ${String(id)}
     order by id`
  expect(exports.map(({ details }) => details['withNotes'])).toEqual([undefined, true, undefined, true])
})

test('a file for a client has nothing that the team wrote at a transfer or at the end', async () => {
  const { id } = await talk()
  await ana.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.userId })
  await ana.request('POST', `/api/conversations/${id}/transfer`, {
    newOperatorId: rita.userId,
    note: 'reclamou do Bruno',
  })
  await rita.request('POST', `/api/conversations/${id}/finalize`, { notes: 'não dar desconto' })
  for (const format of ['text', 'html']) {
    const read = async (query: string) =>
      (await rita.request('GET', `/api/conversations/archived/${id}/export?format=${format}${query}`))
        .body as unknown as string
    const plain = await read('')
    expect(plain).toContain('transferiu a conversa para Rita')
    expect(plain).not.toContain('reclamou do Bruno')
    expect(plain).not.toContain('não dar desconto')
    const whole = await read('&notes=with')
    expect(whole).toContain('reclamou do Bruno')
    expect(whole).toContain('não dar desconto')
  }
})

test('a reply and a note that have the same id of the browser are not taken for each other', async () => {
  const { id } = await talk()
  await noteIn(id, 'só nós', ana, 'um-id-de-nota')
  const base = `/api/conversations/${id}`
  const reply = (clientMessageId: string) =>
    ana.request('POST', `${base}/messages`, { content: 'para o cliente', clientMessageId })
  expect(await reply('um-id-de-nota')).toMatchObject(refusal(422, 'messages.is_note'))
  const fields = { conversationId: id, clientMessageId: 'um-id-de-nota' }
  const upload = await ana.request('POST', '/api/media/upload', formOf(fields, 'a.txt', 'a'))
  expect(upload).toMatchObject(refusal(422, 'messages.is_note'))
  expect(await reply('um-id-de-resposta')).toMatchObject({ status: 201 })
  expect(await noteIn(id, 'só nós', ana, 'um-id-de-resposta')).toMatchObject(
    refusal(409, 'messages.already_sent'),
  )
  const file = { conversationId: id, clientMessageId: 'um-id-de-resposta', isNote: 'true' }
  expect(await ana.request('POST', '/api/media/upload', formOf(file, 'a.txt', 'a'))).toMatchObject(
    refusal(409, 'messages.already_sent'),
  )
})

test('a note in what was imported is taken for nothing that was written on the phone', async () => {
  const { id, contactId } = await talk()
  const [history] = await t.sql<{ id: number }>`
    insert into conversations
      (instance_id, contact_id, protocol, status, sub_status, is_history, completed_at)
    values (${t.instanceId}, ${contactId}, '20200101000001', 'completed', 'OPERADOR', true, app_now())
    returning id`
  const note = await written(history?.id ?? 0, 'ver o pedido de 2020', rita)
  await inTransaction(t.database, async (db) => {
    const locked = await lockConversation(db, id)
    if (locked) await adoptPhoneMessages(db, locked, new Date(0))
  })
  expect(await t.sql`select conversation_id as "in" from messages where id = ${note.id}`).toEqual([
    { in: history?.id },
  ])
})

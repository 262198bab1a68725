import { expect, test } from 'vitest'
import { historyPageSize, mediaPageSize } from '#shared/conversations/contact-history.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, forAllTests, not, testApp } from '#server/testing/test-app.ts'
import { given } from '#server/testing/given.ts'
import { mostFound } from '#shared/messages/message-endpoints.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import { saveSettings } from '#server/settings/settings.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

const talk = () => newTalk(t, ana)
/** Inserts completed conversations, newest first; the nth was assigned to `holders[n]`. */
async function insertCompleted(contactId: number, holders: (Client | undefined)[]): Promise<void> {
  for (const [n, holder] of holders.entries())
    await t.sql`insert into conversations (contact_id, instance_id, initiated_by, protocol,
                                     status, completed_at, started_at, assigned_user_id)
          values (${contactId}, ${t.instanceId}, 'contact', ${protocolOf(contactId, n)}, 'completed',
                  now(), now() - interval '1 day' * ${n + 1}, ${holder?.userId ?? null})`
}
const protocolOf = (contactId: number, n: number) => `2025${String(contactId * 1000 + n).padStart(10, '0')}`
const history = (who: Client, contactId: number, query = '') =>
  who.get<Conversation[]>(`/api/contacts/${contactId}/conversations${query}`)

test('a contact’s conversations are those of the archive that the person sees', async () => {
  const { conversation } = await talk()
  await insertCompleted(conversation.contactId, [ana, bruno, undefined])
  const all = await history(admin, conversation.contactId)
  expect(all[0]).toEqual(conversation)
  expect(all.map(({ assignedUserId }) => assignedUserId)).toEqual([null, ana.userId, bruno.userId, null])
  const ofAna = await history(ana, conversation.contactId)
  expect(ofAna.map(({ assignedUserId }) => assignedUserId)).toEqual([null, ana.userId])
  const ofBruno = await history(bruno, conversation.contactId)
  expect(ofBruno.map(({ assignedUserId }) => assignedUserId)).toEqual([null, bruno.userId])
})

test('a contact’s conversations come in pages without a gap', async () => {
  const { conversation } = await talk()
  const { contactId } = conversation
  const count = historyPageSize * 2 + 3
  await insertCompleted(
    contactId,
    Array.from({ length: count }, () => ana),
  )
  const all: Conversation[] = []
  for (;;) {
    const last = all.at(-1)
    const page = await history(ana, contactId, last ? `?before=${last.id}` : '')
    all.push(...page)
    if (page.length < historyPageSize) break
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(count + 1)
  expect(all.every((row) => row.contactId === contactId)).toBe(true)
  const other = (await talk()).conversation
  expect(await history(ana, contactId, `?before=${other.id}`)).toEqual([])
})

test('the conversations of an unknown contact are answered with 404', async () => {
  const none = await ana.request<ErrorBody>('GET', '/api/contacts/999999/conversations')
  expect([none.status, none.body.code]).toEqual([404, 'contacts.not_found'])
})

const mediaOf = (id: number, query = '', who = ana) =>
  who.get<Message[]>(`/api/conversations/${id}/media${query}`)
const base64 = 'iVBORw0KGgo='

test('the files of a conversation are listed newest first, by kind', async () => {
  const { conversation, phoneId } = await talk()
  const { control } = t.simulator
  control.send(phoneId, { kind: 'image', base64, caption: 'um' })
  const gone = control.send(phoneId, { kind: 'image', base64, caption: 'apagada' })
  control.send(phoneId, { kind: 'document', base64, fileName: 'nota.pdf' })
  control.send(phoneId, { kind: 'audio', base64 })
  control.send(phoneId, { kind: 'sticker', base64 })
  control.send(phoneId, { kind: 'video', base64, caption: 'dois' })
  await eventually(() => mediaOf(conversation.id), { length: 5 })
  control.remove(phoneId, gone.id)
  const all = await eventually(() => mediaOf(conversation.id), { length: 4 })
  expect(all.map(({ messageType }) => messageType)).toEqual(['video', 'audio', 'document', 'image'])
  const [visual, files] = await Promise.all([
    mediaOf(conversation.id, '?kind=visual'),
    mediaOf(conversation.id, '?kind=file'),
  ])
  expect(visual.map(({ content }) => content)).toEqual(['dois', 'um'])
  expect(files.map(({ messageType }) => messageType)).toEqual(['audio', 'document'])
})

test('a conversation’s files come in pages without a gap', async () => {
  const { conversation } = await talk()
  const { id } = conversation
  const count = mediaPageSize + 5
  await t.sql`insert into messages
               (conversation_id, instance_id, sender_type, content, message_type, sort_at, sent_at)
        select ${id}, ${t.instanceId}, 'contact', n::text, 'image',
               now() - interval '1 minute' * (n / 2), now()
          from generate_series(1, ${count}) n`
  const first = await mediaOf(id)
  const rest = await mediaOf(id, `?before=${first.at(-1)?.id}`)
  expect([first.length, rest.length]).toEqual([mediaPageSize, 5])
  expect(new Set([...first, ...rest].map((message) => message.id)).size).toBe(count)
})

interface Details {
  deliveredAt: string | null
  readAt: string | null
  versions: { content: string; replacedAt: string }[]
}
const detailsOf = (id: number, messageId: number, who = ana) =>
  who.request<Details>('GET', `/api/conversations/${id}/messages/${messageId}/details`)

test('the details of a message have the times of delivery and reading', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  const { id } = conversation
  const { body: message } = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, {
    content: 'chega quinta',
  })
  const delivered = await eventually(async () => (await detailsOf(id, message.id)).body, {
    deliveredAt: not(null),
  })
  expect(delivered).toMatchObject({ readAt: null, versions: [] })
  expect(Date.parse(delivered.deliveredAt ?? '')).toBeGreaterThanOrEqual(Date.parse(message.sentAt))
  await ana.request('PUT', `/api/conversations/${id}/messages/${message.id}`, { content: 'chega sexta' })
  t.simulator.control.open(phoneId)
  const read = await eventually(async () => (await detailsOf(id, message.id)).body, { readAt: not(null) })
  expect(read).toMatchObject({ deliveredAt: delivered.deliveredAt, versions: [{ content: 'chega quinta' }] })
})

test('the details of a message read before its delivery was reported have both times', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  const { id } = conversation
  const { body: message } = await ana.request<Message>('POST', `/api/conversations/${id}/messages`, {
    content: 'oi',
  })
  await t.settled()
  await t.sql`update messages set delivery_status = 'sent', delivered_at = null where id = ${message.id}`
  t.simulator.control.open(phoneId)
  const { body } = await eventually(() => detailsOf(id, message.id), { body: { readAt: not(null) } })
  expect(body.deliveredAt).toBe(body.readAt)
})

interface Row {
  content: string
  messageType?: string
  fileName?: string
  isDeleted?: boolean
}

/** Stores messages of the client, oldest first. @returns their ids */
async function store(conversationId: number, many: Row[]): Promise<number[]> {
  const ids: number[] = []
  for (const { content, messageType = 'text', fileName = null, isDeleted = false } of many) {
    const [row] = await t.sql<{ id: number }>`
      insert into messages (conversation_id, instance_id, sender_type, content, message_type, file_name,
                                deleted_at, sort_at, sent_at)
          values (${conversationId}, ${t.instanceId}, 'contact', ${content}, ${messageType}, ${fileName},
                  case when ${isDeleted} then app_now() end, app_now(), app_now()) returning id`
    ids.push(row?.id ?? 0)
  }
  return ids
}

async function found(who: Client, conversationId: number, words: string) {
  const query = new URLSearchParams({ words })
  const path = `/api/conversations/${conversationId}/messages/search?${query.toString()}`
  return who.request<{ ids: number[]; isCut: boolean }>('GET', path)
}
const idsOf = async (who: Client, conversationId: number, words: string) =>
  (await found(who, conversationId, words)).body.ids

test('a search finds a chat’s messages in any case and without accents, newest first', async () => {
  const conversation = await given.conversation(t, ana)
  const other = await newTalk(t, ana)
  const [first, second, , file, percent] = await store(conversation.id, [
    { content: 'A ENTREGA é em São Luís' },
    { content: 'entrega: sao luis, às 10h' },
    { content: 'outra coisa' },
    { content: '', messageType: 'document', fileName: 'Relatório São Luís.pdf' },
    { content: '100% em dia' },
  ])
  await store(other.conversation.id, [{ content: 'São Luís de outra pessoa' }])
  expect(await idsOf(ana, conversation.id, '  são LUIS ')).toEqual([file, second, first])
  expect(await idsOf(ana, conversation.id, 'relatorio')).toEqual([file])
  expect(await idsOf(ana, conversation.id, '0%')).toEqual([percent])
  expect(await idsOf(ana, conversation.id, 'ninguém disse')).toEqual([])
})

test('a search finds nothing that is deleted, and nothing that the person does not see', async () => {
  const conversation = await given.conversation(t, ana)
  const [, queued, plain] = await store(conversation.id, [
    { content: 'segredo apagado', isDeleted: true },
    { content: 'segredo da fila', messageType: 'queue_position' },
    { content: 'segredo de todos' },
  ])
  expect(await idsOf(ana, conversation.id, 'segredo')).toEqual([plain])
  expect(await idsOf(admin, conversation.id, 'segredo')).toEqual([plain, queued])
})

test('nothing, too much and a broken text are refused with a message', async () => {
  const conversation = await given.conversation(t, ana)
  for (const words of ['', '   ', 'x'.repeat(201), 'a\0b']) {
    const { status, body } = await found(ana, conversation.id, words)
    expect({ words, status, message: 'message' in body }).toEqual({ words, status: 400, message: true })
  }
  expect((await ana.request('GET', `/api/conversations/${conversation.id}/messages/search`)).status).toBe(400)
})

test('a word is found up to a limit, and the answer says whether there is more', async () => {
  const { id } = await given.conversation(t, ana)
  for (const isCut of [false, true]) {
    const count = mostFound + Number(isCut)
    await t.sql`delete from messages where conversation_id = ${id}`
    await t.sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
        select ${id}, ${t.instanceId}, 'contact', 'sempre ' || n, app_now(), app_now()
          from generate_series(1, ${count}) n`
    const { body } = await found(ana, id, 'sempre')
    expect([body.ids.length, body.isCut]).toEqual([mostFound, isCut])
    expect(body.ids).toEqual(body.ids.toSorted((a, b) => b - a))
  }
})

const completedToday = async () => (await admin.get<Stats>('/api/stats')).completedToday

test('a conversation that ends counts as completed today, whoever had it, if anybody', async () => {
  const before = (await completedToday()) ?? 0
  const [unassigned, taken] = [await given.conversation(t, admin), await given.conversation(t, admin)]
  expect(await completedToday()).toBe(before)
  const path = ({ id }: Conversation) => `/api/conversations/${id}`
  expect((await admin.get<Conversation>(path(unassigned))).assignedUserId).toBeNull()
  await admin.request('POST', `${path(unassigned)}/finalize`, {})
  expect(await completedToday()).toBe(before + 1)
  await admin.request('PATCH', `${path(taken)}/assign-operator`, { operatorId: admin.userId })
  await admin.request('POST', `${path(taken)}/finalize`, {})
  expect(await completedToday()).toBe(before + 2)
})

test('a client who leaves before being attended, or has not chosen yet, is not counted', async () => {
  const always = { start: '00:00', end: '23:59', days: [0, 1, 2, 3, 4, 5, 6] }
  await saveSettings(t.database, {
    preAttendanceEnabled: true,
    workingHours: always,
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  })
  const before = await completedToday()
  const { control } = t.simulator
  const phone = control.createPhone({ name: 'Caio', number: '5511943000001' })
  const answers = () => control.chat(phone.id).filter(({ from }) => from === 'company').length
  control.sendText(phone.id, 'oi')
  await eventually(answers, 1)
  expect(await completedToday()).toBe(before)
  await t.settled()
  // The client reads it some seconds later.
  await t.sql`update messages set accepted_at = accepted_at - interval '2 seconds'`
  control.sendText(phone.id, '2')
  await eventually(answers, 2)
  expect(await completedToday()).toBe(before)
})

import { describe, expect, test } from 'vitest'
import { historyPageSize, mediaPageSize } from '#shared/conversations/contact-history.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

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

describe('the files of a conversation', () => {
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

  test('a conversation’s files of a finished conversation are for those who may read it', async () => {
    const { conversation } = await talk()
    await ana.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
      operatorId: ana.userId,
    })
    await ana.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
    const path = `/api/conversations/${conversation.id}/media`
    expect((await ana.request('GET', path)).status).toBe(200)
    expect((await admin.request('GET', path)).status).toBe(200)
    expect((await bruno.request('GET', path)).status).toBe(404)
  })
})

import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Draft } from '#shared/conversations/drafts.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { connectLive } from '#server/testing/live-client.ts'
import { mergeContacts } from '#server/conversations/incoming/merge.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

async function talk() {
  const { id, contactId } = await given.conversation(t, ana)
  const [first] = await ana.get<Message[]>(`/api/conversations/${id}/messages`)
  return { id, contactId, first: first as Message }
}
const save = (id: number, content: unknown, quotedMessageId: unknown = null, who = ana) =>
  who.request<{ draft: Draft | null }>('PUT', `/api/conversations/${id}/draft`, { content, quotedMessageId })
const draftOf = async (id: number, who = ana) =>
  (await who.get<Draft[]>('/api/drafts')).find(({ conversationId }) => conversationId === id)

test('a draft is kept with its quote, for its writer alone, and goes when it is empty', async () => {
  const { id, first } = await talk()
  const { status, body } = await save(id, 'já vejo', first.id)
  expect(status).toBe(200)
  expect(body.draft).toMatchObject({ content: 'já vejo', quoted: { messageId: first.id, content: 'oi' } })
  expect(await draftOf(id)).toEqual(body.draft)
  expect(await draftOf(id, bruno)).toBeUndefined()
  expect((await save(id, '', first.id)).body.draft?.content).toBe('')
  expect((await save(id, ' \n')).body).toEqual({ draft: null })
  expect(await draftOf(id)).toBeUndefined()
})

test('the last one to write is right, however many write at once', async () => {
  const { id } = await talk()
  const texts = Array.from({ length: 20 }, (_, n) => `versão ${n}`)
  const answers = await Promise.all(texts.map((text) => save(id, text)))
  expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200))
  expect(texts).toContain((await draftOf(id))?.content)
  await save(id, 'a última')
  expect((await draftOf(id))?.content).toBe('a última')
})

test('a draft is pushed to the other devices of its writer alone', async () => {
  const { id } = await talk()
  const own = await connectLive(t.app.url, { token: ana.token })
  const other = await connectLive(t.app.url, { token: bruno.token })
  await save(id, 'no celular')
  const saved = await own.heard('draft_changed')
  expect(saved.data).toEqual({ conversationId: id, draft: await draftOf(id) })
  await save(id, '')
  const gone = await own.heard('draft_changed', ({ data }) => data.draft === null)
  expect(gone.data).toEqual({ conversationId: id, draft: null })
  // Events arrive in order: after this one, a draft_changed would have arrived too.
  await ana.request('PATCH', `/api/conversations/${id}/priority`, { priority: 'high' })
  await other.heard('conversation_updated')
  expect(other.frames.filter(({ type }) => type === 'draft_changed')).toEqual([])
  await Promise.all([own.close(), other.close()])
})

test('a draft is of an open conversation, as long as a message at most, and answers one of it', async () => {
  const { id } = await talk()
  const other = await talk()
  expect((await save(id, 'x'.repeat(65_536))).status).toBe(200)
  for (const content of ['x'.repeat(65_537), 7, null]) expect((await save(id, content)).status).toBe(400)
  expect((await save(id, '', other.first.id)).status).toBe(404)
  expect((await save(999_999, 'oi')).status).toBe(404)
  await bruno.request('POST', `/api/conversations/${id}/finalize`, {})
  expect(await draftOf(id)).toBeUndefined()
  expect(await save(id, 'tarde')).toMatchObject({ status: 409, body: { code: 'conversations.completed' } })
})

test('when two contacts turn out to be one person, no draft for either is lost', async () => {
  const [older, younger] = [await talk(), await talk()]
  await save(older.id, 'bom dia')
  await save(younger.id, 'já vejo', younger.first.id)
  await save(younger.id, 'só aqui', null, bruno)
  const tab = await connectLive(t.app.url, { token: bruno.token })
  await tab.heard('hello')
  await inTransaction(t.database, (db) => mergeContacts(db, older.contactId, younger.contactId))
  expect(await draftOf(older.id)).toMatchObject({
    content: 'bom dia\njá vejo',
    quoted: { messageId: younger.first.id, conversationId: older.id },
  })
  expect(await draftOf(older.id, bruno)).toMatchObject({ content: 'só aqui', quoted: null })
  await tab.heard('draft_changed', ({ data }) => data.conversationId === younger.id && data.draft === null)
  await tab.heard('draft_changed', ({ data }) => data.conversationId === older.id && data.draft !== null)
  const left = await t.sql`select 1 from conversation_drafts where conversation_id = ${younger.id}`
  expect(left).toEqual([])
  await tab.terminate()
})

test('a quoted message that only administrators see is gone for a writer who is one no more', async () => {
  const { id } = await talk()
  const chefe = await t.signIn('admin')
  const [hidden] = await t.sql<{ id: number }>`
    insert into messages (conversation_id, instance_id, sender_type, content, message_type, sort_at,
                              sent_at)
        select id, instance_id, 'user', 'Você é o 3º da fila', 'queue_position', app_now(), app_now()
          from conversations where id = ${id} returning id`
  const saved = await save(id, 'sobre isto', hidden?.id, chefe)
  expect(saved.body.draft?.quoted).toMatchObject({ messageId: hidden?.id, content: 'Você é o 3º da fila' })
  expect(await draftOf(id, chefe)).toEqual(saved.body.draft)
  const reported = async () => {
    const socket = await connectLive(t.app.url, { token: chefe.token })
    await inTransaction(t.database, async (db) => {
      db.emit({ type: 'draft_changed', userId: chefe.userId, conversationId: id })
    })
    const { data } = await socket.heard('draft_changed')
    await socket.close()
    return data.draft
  }
  expect(await reported()).toEqual(saved.body.draft)
  await t.sql`update users set role = 'operator' where id = ${chefe.userId}`
  const without = { ...saved.body.draft, quoted: null }
  expect(await draftOf(id, chefe)).toEqual(without)
  expect(await reported()).toEqual(without)
})

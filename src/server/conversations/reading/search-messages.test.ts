import { expect, test } from 'vitest'
import { mostFound } from '#shared/messages/message-endpoints.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

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

test('a completed chat of somebody else is not searched without the archive', async () => {
  const conversation = await given.conversation(t, ana)
  await store(conversation.id, [{ content: 'era segredo' }])
  await admin.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
  expect((await found(ana, conversation.id, 'era')).status).toBe(404)
  expect(await idsOf(admin, conversation.id, 'era')).toHaveLength(1)
})

test('nothing, too much and a broken text are refused with a message', async () => {
  const conversation = await given.conversation(t, ana)
  for (const words of ['', '   ', 'x'.repeat(201), 'a\0b']) {
    const { status, body } = await found(ana, conversation.id, words)
    expect({ words, status, message: 'message' in body }).toEqual({ words, status: 400, message: true })
  }
  expect((await ana.request('GET', `/api/conversations/${conversation.id}/messages/search`)).status).toBe(400)
})

test('a word that is everywhere is found up to a limit, and the answer says so', async () => {
  const conversation = await given.conversation(t, ana)
  await t.sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
        select ${conversation.id}, ${t.instanceId}, 'contact', 'sempre ' || n, app_now(), app_now()
          from generate_series(1, ${mostFound + 1}) n`
  const { ids, isCut } = (await found(ana, conversation.id, 'sempre')).body
  expect([ids.length, isCut]).toEqual([mostFound, true])
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
})

test('a word that is found exactly as often as the limit is not said to be found more often', async () => {
  const conversation = await given.conversation(t, ana)
  await t.sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
        select ${conversation.id}, ${t.instanceId}, 'contact', 'exato ' || n, app_now(), app_now()
          from generate_series(1, ${mostFound}) n`
  const { ids, isCut } = (await found(ana, conversation.id, 'exato')).body
  expect([ids.length, isCut]).toEqual([mostFound, false])
})

import { expect, test } from 'vitest'
import type { ConversationsFound } from '#shared/conversations/archive.ts'
import type { Message } from '#shared/messages/messages.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { readMigrations } from '#server/platform/database/migrations.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

const search = (who: Client, words: string) =>
  who.get<ConversationsFound>(`/api/conversations/search?search=${encodeURIComponent(words)}`)
const idsOf = ({ conversations }: ConversationsFound) => conversations.map(({ id }) => id)
/** After all that is committed is indexed. */
async function find(who: Client, words: string): Promise<number[]> {
  await indexAll(t.database)
  return idsOf(await search(who, words))
}
const write = async (id: number, content: string, who = ana) =>
  (await who.request<Message>('POST', `/api/conversations/${id}/messages`, { content })).body
const finalize = (id: number, who = ana) => who.request('POST', `/api/conversations/${id}/finalize`, {})

test('what a client says in an open conversation is found within five seconds of it', async () => {
  const { conversation, phoneId } = await newTalk(t, ana)
  await write(conversation.id, 'qual o tamanho da caixa?')
  t.simulator.control.sendText(phoneId, 'A caixa é de papelão ondulado, com 30 cm')
  const { conversations } = await eventually(
    () => search(ana, 'CAIXAS papelao'),
    ({ conversations: [first] }) => first?.hits.length === 1,
    5000,
  )
  expect(conversations).toMatchObject([
    { id: conversation.id, status: 'active', hitCount: 1, hits: [{ isContact: true, senderName: null }] },
  ])
  const [hit] = conversations[0]?.hits ?? []
  expect(hit?.marks.map(([from, to]) => hit.text.slice(from, to))).toEqual(['caixa', 'papelão'])
  expect(Date.now() - Date.parse(hit?.sentAt ?? '')).toBeLessThan(60_000)
})

test('of many messages in an open conversation the two newest are shown, and all are counted', async () => {
  const { id } = await given.conversation(t, ana)
  for (const n of [1, 2, 3]) await write(id, `guarda-sol número ${n}`)
  await indexAll(t.database)
  const [row] = (await search(ana, 'guarda-sol')).conversations
  expect(row?.hitCount).toBe(3)
  expect(row?.hits.map(({ text, senderName }) => [text, senderName])).toEqual([
    ['guarda-sol número 2', 'Ana'],
    ['guarda-sol número 3', 'Ana'],
  ])
})

test('open conversations are found by their newest message, before completed ones', async () => {
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => given.conversation(t, ana)))
  for (const talk of [first, second, third]) await write(talk?.id ?? 0, 'orçamento do toldo')
  await write(first?.id ?? 0, 'segue')
  await finalize(third?.id ?? 0)
  expect(await find(chefe, 'toldo')).toEqual([first?.id, second?.id, third?.id])
  expect(await search(chefe, 'toldo')).toMatchObject({ completedCount: 1, hasMore: false })
})

test('the words of an open conversation follow each change of it until it is completed', async () => {
  const { id, contactId } = await given.conversation(t, ana)
  const message = await write(id, 'palavra primeira')
  expect(await find(ana, '"palavra primeira"')).toEqual([id])
  await t.sql`update messages set content = 'palavra emendada' where id = ${message.id}`
  expect([await find(ana, '"palavra primeira"'), await find(ana, 'emendada')]).toEqual([[], [id]])
  await t.sql`update contacts set name = 'Quitéria Nova' where id = ${contactId}`
  expect(await find(ana, 'quiteria emendada')).toEqual([id])
  await t.sql`delete from messages where id = ${message.id}`
  expect(await find(ana, 'emendada')).toEqual([])
  const { id: other } = await given.conversation(t, ana)
  const moved = await write(other, 'palavra movida')
  expect(await find(ana, 'movida')).toEqual([other])
  await t.sql`update messages set conversation_id = ${id} where id = ${moved.id}`
  expect(await find(ana, 'movida')).toEqual([id])
  await finalize(id)
  expect(await find(ana, 'movida')).toEqual([id])
  expect(await t.sql`select from open_search where conversation_id = ${id}`).toHaveLength(0)
  expect(await t.sql`select from conversation_search where conversation_id = ${id}`).toHaveLength(1)
})

test('a message that is taken back before it leaves is no longer found', async () => {
  const { id } = await given.conversation(t, ana)
  await saveSettings(t.database, { undoSendSeconds: 10 })
  const { id: messageId } = await write(id, 'preço errado do abajur')
  expect(await find(ana, 'abajur')).toEqual([id])
  const undone = await ana.request('POST', `/api/conversations/${id}/messages/${messageId}/undo`)
  expect(undone.status).toBe(204)
  await saveSettings(t.database, { undoSendSeconds: 0 })
  expect(await find(ana, 'abajur')).toEqual([])
})

test('nothing of a deleted open conversation is left among the words', async () => {
  const { id } = await given.conversation(t, ana)
  await write(id, 'isto some com a conversa')
  expect(await find(ana, '"some com"')).toEqual([id])
  const { status } = await chefe.request('DELETE', `/api/conversations/${id}`)
  expect(status).toBe(204)
  expect(await find(chefe, '"some com"')).toEqual([])
  expect(await t.sql`select from open_search where conversation_id = ${id}`).toHaveLength(0)
})

test('merged contacts are found by what either has said, until the merge is undone', async () => {
  const [kept, merged] = [await given.conversation(t, ana), await given.conversation(t, ana)]
  await write(kept.id, 'sobre o jequitibá')
  await write(merged.id, 'sobre o ipê roxo')
  const both = [kept.id, merged.id].toSorted((a, b) => a - b)
  expect((await find(ana, '"sobre o"')).toSorted((a, b) => a - b)).toEqual(both)
  const { status } = await chefe.request('POST', `/api/contacts/${kept.contactId}/merge`, {
    otherId: merged.contactId,
  })
  expect(status).toBe(200)
  expect(await find(ana, 'jequitiba ipe')).toEqual([kept.id])
  const [merge] = await chefe.get<{ id: number }[]>('/api/contacts/merges')
  expect((await chefe.request('POST', `/api/contacts/merges/${merge?.id}/undo`)).status).toBe(204)
  expect(await find(ana, 'jequitiba ipe')).toEqual([])
  expect([await find(ana, 'jequitiba'), await find(ana, 'ipe')]).toEqual([[kept.id], [merged.id]])
})

test('an operator finds what was said in open conversations, and in their own completed ones', async () => {
  const [ofAna, ofBruno] = [await given.conversation(t, ana), await given.conversation(t, ana)]
  await write(ofAna.id, 'o segredo do umbu')
  await write(ofBruno.id, 'o segredo do umbu', bruno)
  const both = [ofBruno.id, ofAna.id]
  expect([await find(ana, 'umbu'), await find(bruno, 'umbu')]).toEqual([both, both])
  await finalize(ofAna.id)
  await finalize(ofBruno.id, bruno)
  // Before its words are written anew, too.
  expect(idsOf(await search(ana, 'umbu'))).not.toContain(ofBruno.id)
  expect([await find(ana, 'umbu'), await find(bruno, 'umbu')]).toEqual([[ofAna.id], [ofBruno.id]])
  expect(await search(ana, 'umbu')).toMatchObject({ completedCount: 1, isOwnOnly: true })
  expect(await search(chefe, 'umbu')).toMatchObject({ completedCount: 2, isOwnOnly: false })
})

test('what was said at a number of others is answered like what nobody has said', async () => {
  const open = await given.conversation(t, ana)
  const completed = await given.conversation(t, ana)
  for (const { id } of [open, completed]) await write(id, 'pitomba madura')
  await finalize(completed.id)
  const dora = await t.signIn('supervisor', 'dora')
  expect((await find(dora, 'pitomba')).length).toBe(2)
  await chefe.request('PUT', `/api/users/${dora.userId}`, { numberIds: [] })
  expect(await search(dora, 'pitomba')).toEqual(await search(dora, 'inexistente'))
})

test('of a long open conversation a message changes the last part, and any part is found', async () => {
  const { id } = await given.conversation(t, ana)
  await t.sql`
    insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
    select ${id}, ${t.instanceId}, 'contact', 'linha ' || n || ' de um texto que vai e volta',
           now() - interval '1 hour' + interval '1 second' * n, now() from generate_series(1, 2000) n`
  await indexAll(t.database)
  const parts = () => t.sql<{ part: number; xmin: string }>`
    select part, xmin::text from open_search where conversation_id = ${id} order by part`
  const before = await parts()
  expect(before.length).toBeGreaterThan(2)
  await write(id, 'final raríssimo ali')
  for (const words of [
    'rarissimo 777',
    '"linha 777 de" raríssimo',
    '"linha 3 de" "final raríssimo"',
    'final ali',
  ])
    expect([words, await find(ana, words)]).toEqual([words, [id]])
  for (const words of ['rarissimo inexistente', '"linha 777 de" "linha volta"'])
    expect([words, await find(ana, words)]).toEqual([words, []])
  expect((await search(ana, '"final raríssimo"')).conversations[0]?.hits[0]?.text).toBe('final raríssimo ali')
  expect((await parts()).slice(0, -1)).toEqual(before.slice(0, -1))
  // What changes before the end is found anew, too.
  await t.sql`update messages set content = 'linha corrigida' where conversation_id = ${id}
               and content like 'linha 5 de%'`
  expect(await find(ana, 'corrigida raríssimo')).toEqual([id])
  await t.sql`delete from messages where conversation_id = ${id} and content = 'linha corrigida'`
  expect(await find(ana, 'corrigida')).toEqual([])
  await write(id, 'depois de tudo')
  expect(await find(ana, '"depois de tudo" 777')).toEqual([id])
})

test('an open conversation is found by the number of its client and a word in it', async () => {
  const { id, contact } = await given.conversation(t, ana)
  await write(id, 'a fatura do bambolê')
  expect(await find(ana, `bambole ${contact.phone?.slice(-8)}`)).toEqual([id])
  expect(await find(ana, 'bambole 99990000')).toEqual([])
})

test('an upgrade leaves the open conversations of before to be read in the background', async () => {
  const { id } = await given.conversation(t, ana)
  await write(id, 'dito antes da jabuticaba')
  await indexAll(t.database)
  await t.sql`truncate open_search`
  expect(await find(ana, 'jabuticaba')).toEqual([])
  const { sql = '' } = readMigrations().find(({ tag }) => tag.endsWith('_daily_work')) ?? {}
  await t.database.pool.query(sql.split('--> statement-breakpoint').at(-1) ?? '')
  expect(await find(ana, 'jabuticaba')).toEqual([id])
})

test('the end of the archive waits for no open conversation whose words are due', async () => {
  const done = await given.conversation(t, ana)
  await write(done.id, 'encomenda de cupuaçu')
  const { id } = await given.conversation(t, ana)
  await finalize(done.id)
  // Its closing text goes out, which changes it once more.
  await t.settled()
  await indexAll(t.database)
  // As of many that wait after an upgrade.
  await t.sql`insert into search_due (conversation_id, due_at)
              select ${id}, now() - interval '1 day' from generate_series(1, 1)`
  const { conversations } = await chefe.get<{ conversations: { id: number }[] }>(
    '/api/conversations/archived?search=cupua%C3%A7u',
  )
  expect(conversations.map((one) => one.id)).toEqual([done.id])
})

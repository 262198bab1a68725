import { beforeEach, expect, test } from 'vitest'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { createUser } from '#server/users/users.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { resetSettings } from '#server/testing/quiet-settings.ts'
import { forAllTests, testDatabaseWithNumber } from '#server/testing/test-app.ts'
import { saying } from '#server/testing/test-person.ts'
import { complete } from '#server/conversations/acts/complete.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { insertOutgoing } from '#server/conversations/store/insert-outgoing.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'

// What clients write within an hour of the end, with the database: their words are in `thanks-words.test.ts`.

const t = forAllTests(testDatabaseWithNumber)
const clock = forAllTests(() => movableClock(t.database))
let operatorId = 0
let people = 0

beforeEach(async () => {
  await t.sql`delete from conversations`
  await resetSettings(t.database)
  await saveSettings(t.database, {
    finalizationMessage: 'Posso ajudar em algo mais?',
    preAttendanceMessage: '1 ou 2',
    preAttendanceInvalidMessage: 'não entendi',
    preAttendanceCancelMessage: 'até logo',
  })
  await clock.set(new Date('2027-03-09T10:00:00-03:00'))
  operatorId ||= await createUser(t.database, {
    username: 'ana',
    email: 'ana@teste.example',
    name: 'Ana Leite',
    password: 'senha-de-teste',
    role: 'operator',
  })
})

/** Somebody new, who writes at the product's own time. */
function client() {
  const number = ++people
  const phone = `55117${String(number).padStart(8, '0')}`
  let said = 0
  const event = (content: string, sentAt: Date, origin: IncomingMessage['origin']): IncomingMessage => ({
    kind: 'message',
    waId: `e${number}-${++said}`,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin,
    name: origin === 'contact' ? `Cliente ${number}` : undefined,
    sentAt,
    content: saying(content),
    quoted: undefined,
    isHistory: false,
  })
  const feed = (one: IncomingMessage) =>
    inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, one))
  const talks = () =>
    t.sql<{ id: number; status: string; stage: string | null; waits: string; said: string[] }>`
      select v.id, v.status, v.pre_attendance_stage as stage, v.waiting_for as waits,
             coalesce((select array_agg(case when m.sender_type = 'contact' then m.content
                                             else '> ' || m.content end order by m.sort_at, m.id)
                         from messages m where m.conversation_id = v.id), '{}') as said
        from conversations v join contacts c on c.id = v.contact_id
       where c.phone = ${phone} and not v.is_history order by v.started_at, v.id`
  return {
    talks,
    /** Ten seconds later; WhatsApp has all that was said before. */
    async writes(content: string) {
      await t.sql`update messages set delivery_status = 'sent', accepted_at = app_now()
                   where delivery_status = 'pending'`
      await t.sql`update outbox set state = 'sent' where state = 'pending'`
      await clock.forward(10_000)
      await feed(event(content, await clock.now(), 'contact'))
    },
    async isWrittenTo(content: string, agoMs = 0) {
      await feed(event(content, new Date((await clock.now()).getTime() - agoMs), 'phone'))
    },
    /** What arrives later than it was written. */
    async wrote(content: string, agoMs: number) {
      await feed(event(content, new Date((await clock.now()).getTime() - agoMs), 'contact'))
    },
    statuses: async () => (await talks()).map(({ status }) => status),
  }
}

/** A client to whom an operator has said something, and whose conversation was then finalized. */
async function attended(...answers: string[]) {
  const one = client()
  await one.writes('oi')
  const [{ id } = { id: 0 }] = await one.talks()
  await inTransaction(t.database, async (db) => {
    for (const content of answers) {
      const conversation = await lockConversation(db, id)
      if (conversation) await insertOutgoing(db, conversation, { content, senderId: operatorId })
    }
    const conversation = await lockConversation(db, id)
    if (conversation)
      await complete(db, conversation, 'finalizationMessage', {
        by: null,
        act: 'finalized',
        reason: undefined,
      })
  })
  return one
}
const ended = ['completed']
const opened = ['completed', 'waiting']

test.each(['me ajuda', 'queria para amanhã, obrigado', 'ok com nota', '10', 'ok 10', 'estou na loja ok'])(
  'a request after the end opens a conversation: %s',
  async (text) => {
    const one = await attended('pois não')
    await one.writes(text)
    expect(await one.statuses()).toEqual(opened)
  },
)

test('thanks stay in the ended conversation, also with the name of the operator', async () => {
  const one = await attended('pois não')
  await t.sql`update conversations set assigned_user_id = ${operatorId}`
  for (const text of ['ok', 'Obrigada, Ana!', '👍']) await one.writes(text)
  expect(await one.statuses()).toEqual(ended)
  await one.writes('leite, obrigada')
  expect(await one.statuses()).toEqual(opened)
})

test('after a question of the team, not of an automatic text, ok is an answer', async () => {
  const one = await attended('pois não', 'Fica para as 15h?')
  await one.writes('obrigado!')
  expect(await one.statuses()).toEqual(ended)
  await one.writes('ok')
  expect(await one.statuses()).toEqual(opened)
})

test('a question that could not be sent was not asked', async () => {
  const one = await attended('pois não', 'Fica para as 15h?')
  await t.sql`update messages set delivery_status = 'failed' where content = 'Fica para as 15h?'`
  await one.writes('ok')
  expect(await one.statuses()).toEqual(ended)
})

test('what the shop writes on its phone after the end is answered by ok, and if it asks by all', async () => {
  const one = await attended('pois não')
  await clock.forward(60_000)
  await one.isWrittenTo('Saiu para entrega')
  await one.writes('obrigado!')
  expect(await one.statuses()).toEqual(ended)
  await one.isWrittenTo('Quer que eu entregue hoje?')
  await one.writes('obrigado!')
  expect(await one.statuses()).toEqual(opened)
  const other = await attended('pois não')
  await clock.forward(60_000)
  await other.isWrittenTo('Saiu para entrega')
  await other.writes('ok')
  expect(await other.statuses()).toEqual(opened)
})

test('what the shop writes after the answer of the client was not answered by it', async () => {
  const one = await attended('pois não')
  await clock.forward(60_000)
  await one.isWrittenTo('Quer que eu entregue hoje?')
  await one.wrote('ok', 20_000)
  expect(await one.statuses()).toEqual(ended)
})

test('what is written while choosing stays with what was written before it', async () => {
  const one = await attended('pois não')
  await saveSettings(t.database, { preAttendanceEnabled: true })
  for (const text of ['quero 2 pizzas', 'ok obrigado', '1']) await one.writes(text)
  expect(await one.talks()).toMatchObject([
    { status: 'completed' },
    { status: 'waiting', said: ['quero 2 pizzas', '> 1 ou 2', 'ok obrigado', '> não entendi', '1'] },
  ])
})

test('a client who begins another conversation before the goodbye has left is told no goodbye', async () => {
  await saveSettings(t.database, { ratingsEnabled: true, ratingMessage: 'nota?' })
  const one = await attended('pois não')
  await one.wrote('esqueci: faltou a nota fiscal', 0)
  expect(await one.statuses()).toEqual(opened)
  expect(
    await t.sql`select m.content from outbox o join messages m on m.id = o.message_id
                 where o.state = 'pending'
                   and m.metadata ->> 'text' in ('finalizationMessage', 'ratingMessage')`,
  ).toEqual([])
  const lines = await t.sql`select from messages where metadata #>> '{event,act}' = 'text_withdrawn'`
  expect(lines).toHaveLength(2)
  await one.writes('5')
  expect(await t.sql`select from conversation_ratings`).toEqual([])
})

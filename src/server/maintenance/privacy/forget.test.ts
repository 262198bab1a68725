import { describe, expect, test } from 'vitest'
import { erasedName } from '#shared/erased.ts'
import { joinContacts, printOf } from '#server/contacts/contacts.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { privacyRequests } from '#server/schema/privacy.ts'
import { sendEveryKind } from '#server/testing/inputs/every-kind.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { eventually, filled, forAllTests, testApp } from '#server/testing/test-app.ts'
import { lockErasure } from './erasure-lock.ts'
import { findPerson } from '#server/testing/database/find-person.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

let people = 0
const newNumber = () => `551197001${String(1000 + ++people)}`
const path = (id: number, rest = '') => `/api/conversations/${id}${rest}`

const scan = (phone: string, ...also: string[]) => findPerson(t, phone, also)

/** A person who has written and was anonymized. */
async function erased(mark: string) {
  const number = newNumber()
  const talk = await newTalk(t, chefe, number)
  const sent = sendEveryKind(t.simulator, talk.phoneId, mark)
  await t.settled()
  const { status } = await chefe.request('POST', `/api/contacts/${talk.conversation.contactId}/anonymize`)
  expect(status).toBe(200)
  return { number, sent, ...talk }
}

const contactsOf = (phone: string) =>
  t.sql<{ id: number; name: string }>`select id, name from contacts where phone = ${phone}`

describe('what the gateway tells later of somebody who was anonymized', () => {
  test('brings back no text: edits, deletions, reactions, votes, pins and ticks', async () => {
    const mark = `depois${++people}`
    const { number, sent, phoneId, conversation } = await erased(mark)
    const { control } = t.simulator
    control.edit(phoneId, sent.text, `corrigida ${mark}`)
    control.react(phoneId, { messageId: sent.text, emoji: '🙏' })
    control.voteInPoll(phoneId, { messageId: sent.poll, options: ['b'] })
    control.remove(phoneId, sent.image)
    control.pin(phoneId, { messageId: sent.text, pinned: true })
    control.open(phoneId)
    await t.settled()
    expect(await scan(number, mark)).toEqual([])
    expect(await contactsOf(number)).toEqual([])
    const left = await t.sql`select 1 from message_reactions r join messages m on m.id = r.message_id
                              where m.conversation_id = ${conversation.id}`
    expect(left).toEqual([])
  })

  test('brings back no message: a history sync, the same webhooks again, the address book', async () => {
    const mark = `historia${++people}`
    const { number, phoneId, conversation } = await erased(mark)
    const counted = () =>
      t.sql`select count(*)::int as n from messages where conversation_id = ${conversation.id}`
    const before = await counted()
    const { control } = t.simulator
    control.importHistory(phoneId, {
      messages: [{ from: 'phone', text: `antiga ${mark}`, at: '2026-01-05T12:00:00Z' }],
    })
    control.syncHistory(phoneId)
    control.syncContacts({ phones: [phoneId] })
    await t.settled()
    expect(await scan(number, mark)).toEqual([])
    expect(await counted()).toEqual(before)
    expect(await contactsOf(number)).toEqual([])
  })

  test('is stored as of a new contact once he writes again, and still nothing of before', async () => {
    const mark = `volta${++people}`
    const { number, phoneId, conversation } = await erased(mark)
    const { control } = t.simulator
    control.sendText(phoneId, 'sou eu de novo')
    const [found] = await eventually(() => contactsOf(number), { length: 1 })
    expect(found?.id).not.toBe(conversation.contactId)
    control.syncHistory(phoneId)
    await t.settled()
    const texts = await t.sql<{ content: string }>`
      select m.content from messages m join conversations v on v.id = m.conversation_id
       where v.contact_id = ${found?.id ?? 0} and m.sender_type = 'contact'`
    expect(texts).toEqual([{ content: 'sou eu de novo' }])
    expect(await scan(number, mark)).not.toContain('messages.content')
    const [old] = await t.sql<{ name: string; phone: string | null }>`
      select name, phone from contacts where id = ${conversation.contactId}`
    expect(old).toEqual({ name: erasedName, phone: null })
  })

  test('brings back nothing of who is known by a hidden number only', async () => {
    const mark = `oculto${++people}`
    const lid = `9876543210${1000 + people}`
    const { control } = t.simulator
    const phone = control.createPhone({ name: `Oculto ${mark}`, lid, lidOnly: true })
    const sent = control.sendText(phone.id, `texto ${mark}`).id
    await t.settled()
    const [found] = await t.sql<{ id: number }>`
      select contact_id as id from contact_identities where kind = 'lid' and value = ${lid}`
    expect((await chefe.request('POST', `/api/contacts/${found?.id}/anonymize`)).status).toBe(200)
    control.edit(phone.id, sent, `corrigido ${mark}`)
    control.syncHistory(phone.id)
    await t.settled()
    expect(await scan('5511900000000', mark, lid)).toEqual([])
  })

  test('of a message that was being sent then, is no message written on the phone', async () => {
    const number = newNumber()
    const talk: Talk = await newTalk(t, chefe, number)
    const { id, contactId } = talk.conversation
    const { control } = t.simulator
    await chefe.request('PATCH', path(id, '/assign-operator'), { operatorId: chefe.userId })
    await t.settled()
    // An echo would settle the send before its answer, within milliseconds.
    control.nextSendAnswers([{ hangMs: 1500, echo: 'never', acks: 'none' }])
    await chefe.request('POST', path(id, '/messages'), { content: 'a caminho do cliente' })
    await eventually(() => t.sql`select 1 from outbox where conversation_id = ${id} and state = 'sending'`, {
      length: 1,
    })
    expect((await chefe.request('POST', `/api/contacts/${contactId}/anonymize`)).status).toBe(200)
    await eventually(
      () => t.sql`select 1 from outbox where conversation_id = ${id} and state = 'sent'`,
      filled,
    )
    control.syncHistory(talk.phoneId)
    await t.settled()
    expect(await contactsOf(number)).toEqual([])
    expect(await scan(number, 'a caminho do cliente')).toEqual([])
  })

  test('waits while he is being anonymized, and is forgotten then', async () => {
    const number = newNumber()
    const { conversation } = await newTalk(t, chefe)
    const phone = t.simulator.control.createPhone({ name: 'Neste momento', number })
    const waiting = () =>
      t.sql`select 1 from webhook_inbox where lane like ${`%${number}`} and processed_at is null`
    await inTransaction(t.database, async (db) => {
      await lockErasure(db, [{ kind: 'phone', value: number }])
      t.simulator.control.sendText(phone.id, 'agora mesmo')
      const before = await eventually(waiting, (found) => found.length > 0)
      await db.insert(privacyRequests).values({
        kind: 'anonymize',
        contactId: conversation.contactId,
        userId: chefe.userId,
        proof: {},
        fingerprints: [printOf(t.app.secrets, { kind: 'phone', value: number })],
        // Whatever second it is.
        createdAt: new Date(Date.now() + 60_000),
      })
      expect((await waiting()).length).toBeGreaterThanOrEqual(before.length)
    })
    await t.settled()
    expect(await contactsOf(number)).toEqual([])
    expect(await scan(number, 'agora mesmo', 'Neste momento')).toEqual([])
  })

  test('is forgotten by the inbox, too, and the same body is still known', async () => {
    const mark = `corpo${++people}`
    const { number, phoneId, sent } = await erased(mark)
    t.simulator.control.edit(phoneId, sent.text, `outra ${mark}`)
    await t.settled()
    const bodies = await t.sql<{ payload: object }>`
      select payload from webhook_inbox where lane like 'erased:%' and payload <> '{}'::jsonb`
    expect(bodies).toEqual([])
    expect(await scan(number, mark)).toEqual([])
  })
})

test('a file of an anonymized contact is not fetched from the gateway again', async () => {
  const mark = `arquivo${++people}`
  const { sent } = await erased(mark)
  const [message] = await t.sql<{ id: number }>`
    select id from messages where whatsapp_message_id = ${sent.image}`
  const answer = await chefe.request('GET', `/api/media/evolution/${message?.id}`)
  expect(answer.status).toBe(404)
  expect(await t.sql`select 1 from files where message_id = ${message?.id ?? 0}`).toEqual([])
})

describe('also past the inbox', () => {
  /** As the handlers of `conversations` get it: nothing stands before them here. */
  const happens = (event: GatewayEvent) =>
    inTransaction(t.database, (db) => handleGatewayEvent(db, t.instanceId, event))
  const everything = () =>
    t.sql`select (select count(*)::int from contacts) as contacts,
                 (select count(*)::int from contact_identities) as identities,
                 (select md5(string_agg(m::text, '' order by m.id)) from messages m) as messages`

  test('the same message under another address teaches none and replaces nothing', async () => {
    const { sent, conversation } = await erased(`outro${++people}`)
    await t.sql`update conversations set is_history = true where id = ${conversation.id}`
    const [stored] = await t.sql<{ sentAt: string }>`
      select to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "sentAt" from messages
       where whatsapp_message_id = ${sent.text}`
    const before = await everything()
    await happens({
      kind: 'message',
      waId: sent.text,
      peer: { phone: undefined, lid: '77712345678901', jid: '77712345678901@lid' },
      origin: 'contact',
      name: 'De volta',
      sentAt: new Date(stored?.sentAt ?? 0),
      content: {
        messageType: 'text',
        content: '',
        fileName: undefined,
        mimeType: undefined,
        sizeBytes: undefined,
        metadata: {},
      },
      quoted: undefined,
      isHistory: false,
    })
    await happens({ kind: 'edit', waId: sent.text, content: 'de volta', editedAtMs: Date.now() })
    await happens({ kind: 'delete', waId: sent.text })
    expect(await everything()).toEqual(before)
  })

  test('an anonymized contact is not merged with another', async () => {
    const { conversation } = await erased(`junto${++people}`)
    const other = await newTalk(t, chefe, newNumber())
    for (const [keep, gone] of [
      [conversation.contactId, other.conversation.contactId],
      [other.conversation.contactId, conversation.contactId],
    ] as const)
      await expect(inTransaction(t.database, (db) => joinContacts(db, keep, gone))).rejects.toThrow(
        'Este contato foi anonimizado.',
      )
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type Message, quickReactions } from '#shared/messages/messages.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, refusal, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
afterEach(() => t.simulator.control.clearSendAnswers())

/** A new conversation in which the client has written 'oi'. */
async function talk() {
  const { conversation, phoneId } = await newTalk(t, ana)
  const [first] = await messagesOf(conversation.id)
  if (!first) throw new Error('nothing was written')
  return { phone: phoneId, id: conversation.id, first }
}
const messagesOf = (id: number) => ana.get<Message[]>(`/api/conversations/${id}/messages`)
const react = (id: number, messageId: number, emoji: unknown) =>
  ana.request<Message>('PUT', `/api/conversations/${id}/messages/${messageId}/reaction`, { emoji })
const onPhone = (phone: string) => t.simulator.control.chat(phone)[0]?.reactions

describe("the team's reaction", () => {
  test('the team’s reaction reaches the phone, changes there, and is taken back', async () => {
    const { phone, id, first } = await talk()
    for (const emoji of ['👍', '❤️', '👩🏽‍🚀']) {
      const { status, body } = await react(id, first.id, emoji)
      expect(status).toBe(200)
      expect(body.reactions).toEqual([{ emoji, from: 'user' }])
      expect(onPhone(phone)).toEqual([{ emoji, from: 'company' }])
    }
    await t.settled()
    expect((await messagesOf(id))[0]?.reactions).toEqual([{ emoji: '👩🏽‍🚀', from: 'user' }])
    expect((await react(id, first.id, '')).body.reactions).toEqual([])
    expect(onPhone(phone)).toEqual([])
  })

  test('the team’s reaction on an outgoing message stands beside the one of the client', async () => {
    const { phone, id } = await talk()
    await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'pronto' })
    const all = await eventually(() => messagesOf(id), { [-1]: { deliveryStatus: 'delivered' } })
    const ours = all.at(-1)
    t.simulator.control.react(phone, { messageId: ours?.whatsappMessageId ?? '', emoji: '🙏' })
    await eventually(() => messagesOf(id), { [-1]: { reactions: { length: 1 } } })
    const { body } = await react(id, ours?.id ?? 0, '😂')
    expect(body.reactions.map(({ emoji }) => emoji).toSorted()).toEqual(['🙏', '😂'].toSorted())
  })

  test('the team’s reaction finds a first message to a number without its 9', async () => {
    const phone = t.simulator.control.createPhone({ name: 'Nair', number: '553188871001' })
    const typed = { phone: '31988871001', name: 'Nair' }
    const eva = await t.signIn('supervisor', 'eva')
    const contact = (await eva.request<{ id: number }>('POST', '/api/contacts/by-phone', typed)).body
    const path = `/api/contacts/${contact.id}/send-message`
    const write = async (content: string) =>
      (await eva.request<{ conversation: Conversation; message: Message }>('POST', path, { content })).body
    t.simulator.control.nextSendAnswers([{ echo: 'never' }])
    const { conversation, message } = await write('bom dia')
    await eventually(() => messagesOf(conversation.id), { [-1]: { deliveryStatus: 'delivered' } })
    // The answer to the send reports the address.
    await eventually(
      () => t.sql<{ jid: string }>`select jid from contact_identities where contact_id = ${contact.id}`,
      { 0: { jid: '553188871001@s.whatsapp.net' } },
    )
    // Where none has reported it yet, the gateway's record does.
    await t.sql`update contact_identities set jid = value where contact_id = ${contact.id}`
    expect((await react(conversation.id, message.id, '👍')).status).toBe(200)
    expect(onPhone(phone.id)).toEqual([{ emoji: '👍', from: 'company' }])
  })

  test('the team’s reaction is neither an answer nor news of who waits', async () => {
    const { id, first } = await talk()
    const before = await ana.get<Conversation>(`/api/conversations/${id}`)
    await react(id, first.id, '👍')
    const after = await ana.get<Conversation>(`/api/conversations/${id}`)
    expect({ ...after, version: 0 }).toEqual({ ...before, version: 0 })
  })

  test.each([...quickReactions, '🇧🇷', '👨‍👩‍👧'])('the team may react with %s', async (emoji) => {
    const { id, first } = await talk()
    expect((await react(id, first.id, emoji)).status).toBe(200)
  })

  test.each(['ok', '👍👍', '1', ' ', '<b>', 7, null])(
    'the team’s reaction is one emoji, not %j',
    async (emoji) => {
      const { id, first } = await talk()
      expect((await react(id, first.id, emoji)).status).toBe(400)
    },
  )

  test('a reaction that the gateway refuses is reported, and nothing changes', async () => {
    const { id, first } = await talk()
    t.simulator.control.setFaults({ disconnect: { on: true } })
    const refused = await react(id, first.id, '👍')
    t.simulator.control.setFaults({ disconnect: { on: false } })
    expect(refused).toMatchObject({
      status: 502,
      body: { message: 'Não foi possível conectar ao gateway: a reação não foi confirmada' },
    })
    expect((await messagesOf(id))[0]?.reactions).toEqual([])
    expect((await react(id, first.id, '👍')).status).toBe(200)
  })

  test('a reaction needs a delivered message of an open conversation', async () => {
    const { phone, id, first } = await talk()
    const other = await talk()
    expect((await react(other.id, first.id, '👍')).status).toBe(404)
    expect((await react(id, 999_999, '👍')).status).toBe(404)
    t.simulator.control.remove(phone, first.whatsappMessageId ?? '')
    await eventually(
      () => messagesOf(id),
      (rows) => rows[0]?.deletedAt !== null,
    )
    expect((await react(id, first.id, '👍')).status).toBe(409)
    await ana.request('POST', `/api/conversations/${other.id}/finalize`, {})
    expect(await react(other.id, other.first.id, '👍')).toMatchObject(refusal(409, 'conversations.completed'))
  })
})

describe('what an edited message said before', () => {
  const versionsOf = (id: number, messageId: number) =>
    ana.request<{ content: string }[]>('GET', `/api/conversations/${id}/messages/${messageId}/versions`)

  test('earlier texts of an edited message are kept, oldest first', async () => {
    const { phone, id, first } = await talk()
    expect((await versionsOf(id, first.id)).body).toEqual([])
    for (const text of ['oi, bom dia', 'oi, boa tarde']) {
      t.simulator.control.edit(phone, first.whatsappMessageId ?? '', text)
      await eventually(() => messagesOf(id), { 0: { content: text } })
    }
    const { body } = await versionsOf(id, first.id)
    expect(body.map(({ content }) => content)).toEqual(['oi', 'oi, bom dia'])
  })

  test('earlier texts are read by whoever may read the conversation', async () => {
    const { phone, id, first } = await talk()
    const other = await talk()
    t.simulator.control.edit(phone, first.whatsappMessageId ?? '', 'olá')
    await eventually(async () => (await versionsOf(id, first.id)).body, { length: 1 })
    expect(await versionsOf(other.id, first.id)).toMatchObject({ status: 404 })
    const bruno = await t.signIn('operator', 'bruno')
    await ana.request('POST', `/api/conversations/${id}/finalize`, {})
    const path = `/api/conversations/${id}/messages/${first.id}/versions`
    expect((await bruno.request('GET', path)).status).toBe(404)
  })
})

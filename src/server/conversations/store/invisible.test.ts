import { beforeAll, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Flag } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

beforeAll(() => setFlags(ana, { canViewArchivedConversations: false, canTransferConversations: true }))

async function setFlags({ userId }: Client, change: Partial<Record<Flag, boolean>>): Promise<void> {
  const flags = JSON.stringify({ ...defaultFlags('operator'), ...change })
  await t.sql`insert into user_permissions (user_id, flags) values (${userId}, ${flags}::jsonb)
        on conflict (user_id) do update set flags = excluded.flags`
}

/** The calls that act on a conversation. */
const acts: [string, string, object?][] = [
  ['POST', 'messages', { content: 'oi' }],
  ['PATCH', 'assign-operator', { operatorId: null }],
  ['POST', 'transfer', { newOperatorId: 1 }],
  ['POST', 'finalize', {}],
  ['PATCH', 'toggle-auto-close', { disableAutoClose: true }],
  ['PATCH', 'priority', { priority: 'high' }],
  ['POST', 'view', { action: 'enter' }],
  ['POST', 'view', { action: 'leave' }],
  ['PUT', 'read', { lastMessageId: 1 }],
  ['DELETE', 'read'],
  ['PUT', 'draft', { content: 'oi', quotedMessageId: null }],
]
/** Those that read or change it by one of its messages. */
const actsOn = (messageId: number, to: object): [string, string, object?][] => [
  ['PUT', `messages/${messageId}`, { content: 'outra coisa' }],
  ['DELETE', `messages/${messageId}`],
  ['POST', `messages/${messageId}/undo`],
  ['POST', `messages/${messageId}/retry`],
  ['PUT', `messages/${messageId}/reaction`, { emoji: '👍' }],
  ['GET', `messages/${messageId}/details`],
  ['GET', `messages/${messageId}/versions`],
  ['POST', `messages/${messageId}/forward`, { to }],
]
const answersOf = async (id: number, calls: [string, string, object?][]) => {
  const answers: [string, number, unknown][] = []
  for (const [method, path, body] of calls) {
    const answer = await ana.request(method, `/api/conversations/${id}/${path}`, body)
    answers.push([`${method} ${path}`, answer.status, answer.body])
  }
  return answers
}

const none = 999_999

/** A finished conversation of the administrator, with a reply of that key. */
async function finishedTalk(clientMessageId: string) {
  const conversation = await given.conversation(t, admin)
  const path = `/api/conversations/${conversation.id}`
  const reply = await admin.request<Message>('POST', `${path}/messages`, {
    content: 'pois não',
    clientMessageId,
  })
  await admin.request('POST', `${path}/finalize`, {})
  return { id: conversation.id, messageId: reply.body.id }
}
/** Makes it finished longer ago than an act may be late. */
async function forgetLately(id: number): Promise<void> {
  await t.sql`update conversations set completed_at = completed_at - interval '11 minutes' where id = ${id}`
}

test('a finished conversation that one may not see answers as one that does not exist', async () => {
  const { id, messageId } = await finishedTalk('finished-key')
  // An act that comes a moment too late is still answered with the reason.
  const atOnce = await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'oi' })
  expect(atOnce).toMatchObject({ status: 409, body: { code: 'conversations.completed' } })
  await forgetLately(id)
  const open = await given.conversation(t, admin)
  const calls = [...acts, ...actsOn(messageId, { conversationId: open.id })]
  const answers = await answersOf(id, calls)
  expect(answers).toEqual(await answersOf(none, calls))
  for (const [name, status] of answers) expect([name, status]).toEqual([name, 404])
})

test('a send repeated into it by its key answers as one into none', async () => {
  const { id } = await finishedTalk('repeated-key')
  await t.sql`insert into undone_sends (conversation_id, client_message_id) values (${id}, 'undone-key')`
  const conversation = await given.conversation(t, admin)
  const path = `/api/conversations/${conversation.id}/messages`
  const [source] = await ana.get<Message[]>(path)
  /** What each way to send answers. */
  const answersTo = async (conversationId: number, clientMessageId: string) => {
    const form = new FormData()
    form.set('conversationId', String(conversationId))
    form.set('clientMessageId', clientMessageId)
    form.set('file', new File(['bytes'], 'nota.txt'))
    const upload = await fetch(`${t.app.url}/api/media/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.token}` },
      body: form,
    })
    const others = [
      await ana.request('POST', `${path}/${source?.id}/forward`, { to: { conversationId }, clientMessageId }),
      await ana.request('POST', `/api/conversations/${conversationId}/messages`, {
        content: 'oi',
        clientMessageId,
      }),
    ]
    return [[upload.status, await upload.json()], ...others.map(({ status, body }) => [status, body])]
  }
  // A moment later, somebody who saw it open is notified that it is finished, and not what has become of it.
  const [uploaded, forwarded] = await answersTo(id, 'repeated-key')
  const late = [409, expect.objectContaining({ code: 'conversations.completed' })]
  expect([uploaded, forwarded]).toEqual([late, late])
  await forgetLately(id)
  for (const key of ['repeated-key', 'undone-key', 'unknown-key']) {
    const answers = await answersTo(id, key)
    expect(answers).toEqual(await answersTo(none, key))
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404])
  }
})

test('a file of it answers as one that does not exist', async () => {
  const conversation = await given.conversation(t, admin)
  const [message] = (
    await admin.request<{ id: number }[]>('GET', `/api/conversations/${conversation.id}/messages`)
  ).body
  await admin.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
  const seen = await ana.request('GET', `/api/media/evolution/${message?.id}`)
  const none = await ana.request('GET', '/api/media/evolution/99999999')
  expect([seen.status, seen.body]).toEqual([none.status, none.body])
})

test('a message to a contact reaches nobody’s open conversation without the right to see it', async () => {
  const conversation = await given.conversation(t, admin)
  const { id: contactId } = conversation.contact
  const bruno = await t.signIn('operator', 'bruno')
  const rights = { canCreateConversations: true, canEditConversations: true, canUploadMedia: true }
  const sendBoth = async () => {
    const path = `/api/contacts/${contactId}/send-message`
    const answer = await bruno.request('POST', path, { content: 'oi de Bruno' })
    const form = new FormData()
    form.set('contactId', String(contactId))
    form.set('caption', 'nota de Bruno')
    form.set('file', new File(['bytes'], 'nota.txt'))
    const upload = await fetch(`${t.app.url}/api/media/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bruno.token}` },
      body: form,
    })
    return [answer.status, upload.status]
  }
  const contents = async () => {
    const path = `/api/conversations/${conversation.id}/messages`
    return (await admin.get<Message[]>(path)).map(({ content }) => content)
  }
  const before = await contents()
  await setFlags(bruno, { ...rights, canViewConversations: false })
  expect(await sendBoth()).toEqual([403, 403])
  expect(await contents()).toEqual(before)
  // The same with the right arrives, so that it was the right that was missing.
  await setFlags(bruno, { ...rights, canViewConversations: true })
  expect(await sendBoth()).toEqual([201, 201])
  expect(await contents()).toEqual(expect.arrayContaining(['oi de Bruno', 'nota de Bruno']))
})

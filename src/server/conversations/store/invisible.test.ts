import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Flag } from '#shared/permissions.ts'
import { defaultFlags } from '#server/platform/http/access.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { type Client, testApp, type TestApp } from '#server/testing/test-app.ts'

let t: TestApp
let admin: Client
let ana: Client

beforeAll(async () => {
  t = await testApp()
  admin = await t.signIn('admin')
  ana = await t.signIn('operator', 'ana')
  await setFlags(ana, { canViewArchivedConversations: false, canTransferConversations: true })
})
afterAll(() => t.close())

async function setFlags({ userId }: Client, change: Partial<Record<Flag, boolean>>): Promise<void> {
  const flags = JSON.stringify({ ...defaultFlags('operator'), ...change })
  await t.database.execute(
    sql`insert into user_permissions (user_id, flags) values (${userId}, ${flags}::jsonb)
        on conflict (user_id) do update set flags = excluded.flags`,
  )
}

/** The calls that act on a conversation, other than by one of its messages. */
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
const codesOf = async (id: number) => {
  const codes: [string, number, string | undefined][] = []
  for (const [method, path, body] of acts) {
    const answer = await ana.request(method, `/api/conversations/${id}/${path}`, body)
    codes.push([`${method} ${path}`, answer.status, answer.body?.code])
  }
  return codes
}

test('a finished conversation that one may not see answers as one that does not exist', async () => {
  const { conversation } = await newTalk(t, admin)
  await admin.request('PATCH', `/api/conversations/${conversation.id}/assign-operator`, {
    operatorId: admin.userId,
  })
  await admin.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
  // An act that comes a moment too late is still told why it is refused.
  const atOnce = await ana.request('POST', `/api/conversations/${conversation.id}/messages`, {
    content: 'oi',
  })
  expect(atOnce).toMatchObject({ status: 409, body: { code: 'conversations.completed' } })
  await t.database.execute(
    sql`update conversations set completed_at = completed_at - interval '11 minutes'
         where id = ${conversation.id}`,
  )
  expect(await codesOf(conversation.id)).toEqual(await codesOf(999_999))
  for (const [name, status] of await codesOf(999_999)) expect([name, status]).toEqual([name, 404])
})

test('a file of it answers as one that does not exist', async () => {
  const { conversation } = await newTalk(t, admin)
  const [message] = (
    await admin.request<{ id: number }[]>('GET', `/api/conversations/${conversation.id}/messages`)
  ).body
  await admin.request('POST', `/api/conversations/${conversation.id}/finalize`, {})
  const seen = await ana.request('GET', `/api/media/evolution/${message?.id}`)
  const none = await ana.request('GET', '/api/media/evolution/99999999')
  expect([seen.status, seen.body]).toEqual([none.status, none.body])
})

test('a message to a contact reaches nobody’s open conversation without the right to see it', async () => {
  const { conversation } = await newTalk(t, admin)
  const { id: contactId } = conversation.contact
  const bruno = await t.signIn('operator', 'bruno')
  await setFlags(bruno, {
    canViewConversations: false,
    canCreateConversations: true,
    canEditConversations: true,
    canUploadMedia: true,
  })
  const answer = await bruno.request('POST', `/api/contacts/${contactId}/send-message`, { content: 'oi' })
  expect(answer).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } })

  const form = new FormData()
  form.set('contactId', String(contactId))
  form.set('file', new File(['bytes'], 'nota.txt'))
  const upload = await fetch(`${t.app.url}/api/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bruno.token}` },
    body: form,
  })
  expect(upload.status).toBe(403)
  const messages = await admin.request<{ content: string }[]>(
    'GET',
    `/api/conversations/${conversation.id}/messages`,
  )
  expect(messages.body.map(({ content }) => content)).not.toContain('oi de Bruno')
  expect(messages.body.filter(({ content }) => content === 'nota.txt')).toEqual([])
})

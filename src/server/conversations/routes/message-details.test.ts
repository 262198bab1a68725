import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

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
  const delivered = await eventually(
    async () => (await detailsOf(id, message.id)).body,
    ({ deliveredAt }) => deliveredAt !== null,
  )
  expect(delivered).toMatchObject({ readAt: null, versions: [] })
  expect(Date.parse(delivered.deliveredAt ?? '')).toBeGreaterThanOrEqual(Date.parse(message.sentAt))
  await ana.request('PUT', `/api/conversations/${id}/messages/${message.id}`, { content: 'chega sexta' })
  t.simulator.control.open(phoneId)
  const read = await eventually(
    async () => (await detailsOf(id, message.id)).body,
    ({ readAt }) => readAt !== null,
  )
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
  const { body } = await eventually(
    () => detailsOf(id, message.id),
    (answer) => answer.body.readAt !== null,
  )
  expect(body.deliveredAt).toBe(body.readAt)
})

test('the details of a message of a completed chat need the right to see it', async () => {
  const conversation = await given.conversation(t, ana)
  const { id } = conversation
  const [first] = await ana.get<Message[]>(`/api/conversations/${id}/messages`)
  await admin.request('POST', `/api/conversations/${id}/finalize`, {})
  expect((await detailsOf(id, first?.id ?? 0)).status).toBe(404)
  expect(await detailsOf(id, first?.id ?? 0, admin)).toMatchObject({
    status: 200,
    body: { deliveredAt: null, readAt: null, versions: [] },
  })
})

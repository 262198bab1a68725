import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { contactOf } from '#server/contacts/contacts.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { type SampleConversation, writeSamples } from './sample.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin'))
const operator = forAllTests(() => t.signIn('operator'))

// 23:30 in São Paulo, which is the next day in UTC.
const start = Date.parse('2026-03-11T02:30:00Z')
const after = (seconds: number) => new Date(start + seconds * 1000)
let lastNumber = 0

async function contact(): Promise<number> {
  const phone = `55119800${String(++lastNumber).padStart(5, '0')}`
  const jid = `${phone}@s.whatsapp.net`
  const { id } = await contactOf(t.database, { phone, jid, lid: undefined, name: `Cliente ${lastNumber}` })
  return id
}

const talk = async (more: Partial<SampleConversation>): Promise<SampleConversation> => ({
  instanceId: t.instanceId,
  contactId: await contact(),
  assignedUserId: operator.userId,
  initiatedBy: 'contact',
  messages: [],
  ...more,
})

const write = (...samples: SampleConversation[]) =>
  inTransaction(t.database, (db) => writeSamples(db, samples))

const conversationOf = async ({ contactId }: SampleConversation) => {
  const [row] = await t.sql<
    { id: number; isQueued: boolean | null } & Record<string, unknown>
  >`select c.*, (select q.processed_at is null from queue_pending_conversations q
                      where q.conversation_id = c.id) as "isQueued",
               (select m.content from messages m where m.id = c.last_message_id) as last
          from conversations c where c.contact_id = ${contactId}`
  if (!row) throw new Error('not written')
  return row
}

test('a finished sample stands there as the product would have left it', async () => {
  const sample = await talk({
    completedAt: after(600),
    notes: 'Resolvido.',
    rating: { value: 4, feedback: 'Bom', at: after(700) },
    messages: [
      { waId: 'SAMPLE1', from: 'contact', text: 'Tem caixa?', at: after(0) },
      { waId: 'SAMPLE2', from: 'automatic', text: 'Já vamos', at: after(1), type: 'queue_welcome' },
      { waId: 'SAMPLE3', from: 'contact', text: 'Oi?', at: after(20) },
      { waId: null, from: { operator: admin.userId }, text: 'Olhou', at: after(50), type: 'view_tracking' },
      { waId: 'SAMPLE4', from: { operator: operator.userId }, text: 'Temos!', at: after(90) },
      { waId: 'SAMPLE5', from: 'phone', text: 'E de dois tamanhos', at: after(120) },
      { waId: 'SAMPLE6', from: 'automatic', text: 'Você é o 1º', at: after(130), type: 'queue_position' },
    ],
  })
  await write(sample)
  const row = await conversationOf(sample)
  expect(row).toMatchObject({
    status: 'completed',
    sub_status: 'OPERADOR',
    waiting_for: 'client',
    waiting_since: null,
    message_count: 4,
    last: 'E de dois tamanhos',
    satisfaction: 4,
    notes: 'Resolvido.',
    isQueued: false,
  })
  expect(row['protocol']).toMatch(/^20260310\d{6}$/)
  expect(new Date(String(row['last_activity_at'])).getTime()).toBe(start + 120_000)
  const seen = await admin.request<Message[]>('GET', `/api/conversations/${row.id}/messages`)
  expect(
    seen.body.map(({ content, deliveryStatus, senderName }) => [
      content,
      deliveryStatus,
      senderName !== null,
    ]),
  ).toEqual([
    ['Tem caixa?', null, false],
    ['Já vamos', 'read', false],
    ['Oi?', null, false],
    ['Olhou', null, true],
    ['Temos!', 'read', true],
    ['E de dois tamanhos', 'read', false],
    ['Você é o 1º', 'read', false],
  ])
  expect(seen.body.map(({ metadata }) => metadata.origin)).toEqual([
    undefined,
    'automatic',
    undefined,
    undefined,
    undefined,
    'phone',
    'automatic',
  ])
  const waits = await t.sql<{ ms: number | null }>`
    select response_ms::int as ms from messages where conversation_id = ${row.id} order by sort_at, id`
  expect(waits.map(({ ms }) => ms)).toEqual([null, null, null, null, 90_000, null, null])
})

test('an open sample waits in the queue, or for the operator who has it', async () => {
  const queued = await talk({
    assignedUserId: null,
    messages: [{ waId: 'OPEN1', from: 'contact', text: 'Oi', at: after(0) }],
  })
  const taken = await talk({
    priority: 'high',
    messages: [
      { waId: 'OPEN2', from: 'contact', text: 'Oi', at: after(0) },
      { waId: 'OPEN3', from: { operator: operator.userId }, text: 'Olá', at: after(9) },
      { waId: 'OPEN4', from: 'contact', text: 'Tem?', at: after(60) },
    ],
  })
  await write(queued, taken)
  expect(await conversationOf(queued)).toMatchObject({
    status: 'waiting',
    sub_status: 'FILA',
    waiting_for: 'operator',
    isQueued: true,
  })
  const row = await conversationOf(taken)
  expect(row).toMatchObject({
    status: 'active',
    sub_status: 'OPERADOR',
    waiting_for: 'operator',
    priority: 'high',
    isQueued: false,
  })
  expect(new Date(String(row['waiting_since'])).getTime()).toBe(start + 60_000)
})

test('what happened to a message later is reported with it', async () => {
  const sample = await talk({
    completedAt: after(900),
    messages: [
      { waId: 'KIND1', from: 'contact', text: 'Qual?', at: after(0), pinnedAt: after(40) },
      {
        waId: 'KIND2',
        from: { operator: operator.userId },
        text: 'Qual cor?',
        at: after(10),
        type: 'poll',
        metadata: { poll: { options: ['Azul', 'Verde'], selectable: 1 } },
        quotes: { waId: 'KIND1', text: 'Qual?' },
        votes: [{ from: 'contact', options: ['Verde'], at: after(30) }],
      },
      {
        waId: 'KIND3',
        from: { operator: operator.userId },
        text: 'Corrigido',
        at: after(60),
        versions: [{ text: 'Corrijido', replacedAt: after(80) }],
        reactions: [{ from: 'contact', emoji: '👍', at: after(90) }],
      },
      { waId: 'KIND4', from: 'contact', text: 'Some', at: after(70), deletedAt: after(75) },
      {
        waId: null,
        from: { operator: operator.userId },
        text: 'Não foi',
        at: after(100),
        status: 'failed',
        failureReason: 'unreachable',
      },
      {
        waId: 'KIND5',
        from: 'contact',
        text: '',
        at: after(200),
        type: 'document',
        file: { name: 'Lista.pdf', mimeType: 'application/pdf', sizeBytes: 48_213 },
        metadata: { pages: 2 },
      },
    ],
  })
  await write(sample)
  const { id } = await conversationOf(sample)
  const { body } = await admin.request<Message[]>('GET', `/api/conversations/${id}/messages`)
  expect(body).toMatchObject([
    { content: 'Qual?', isPinned: true },
    { messageType: 'poll', quoted: { content: 'Qual?' }, votes: [{ options: ['Verde'], from: 'contact' }] },
    {
      content: 'Corrigido',
      editedAt: after(80).toISOString(),
      reactions: [{ emoji: '👍', from: 'contact' }],
    },
    { deletedAt: after(75).toISOString() },
    { deliveryStatus: 'failed', failureReason: 'O gateway não respondeu', whatsappMessageId: null },
    { fileName: 'Lista.pdf', fileSize: 48_213, fileMimeType: 'application/pdf', metadata: { pages: 2 } },
  ])
  const versions = await t.sql<{ content: string }>`
    select v.content from message_versions v join messages m on m.id = v.message_id
         where m.conversation_id = ${id}`
  expect(versions).toEqual([{ content: 'Corrijido' }])
})

test('a second open sample of a contact is refused, and with it all that came along', async () => {
  const one = await talk({ messages: [{ waId: 'TWICE1', from: 'contact', text: 'Oi', at: after(0) }] })
  const other = { ...one, messages: [{ waId: 'TWICE2', from: 'contact' as const, text: 'Oi', at: after(5) }] }
  await expect(write(one, other)).rejects.toThrow()
  await expect(conversationOf(one)).rejects.toThrow('not written')
})

test('nothing to write is no error', async () => {
  await write()
})

import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { noticeOf } from './desktop-notices.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'

const nowMs = Date.parse('2026-11-20T12:00:30Z')
const data = (conversation: Partial<Conversation> = {}, message: Partial<Message> = {}) => ({
  conversationId: 7,
  conversation: conversationRow({ id: 7, ...conversation }),
  message: messageRow({
    conversationId: 7,
    sentAt: '2026-11-20T12:00:00Z',
    content: 'meu CPF é 1',
    ...message,
  }),
})

test('a notification names my client, with their words only where they may be seen', () => {
  const event = { type: 'customer_message_notification' as const, data: data() }
  const { contact } = event.data.conversation
  expect(noticeOf(event, nowMs, false)).toEqual({
    conversationId: 7,
    title: contact.name,
    body: 'Nova mensagem',
    tag: 'conversation 7',
  })
  expect(noticeOf(event, nowMs, true)?.body).toBe('meu CPF é 1')
})

test('a notification of a file without words names its kind', () => {
  const event = {
    type: 'customer_message_notification' as const,
    data: data({}, { messageType: 'image', content: '' }),
  }
  expect(noticeOf(event, nowMs, true)?.body).toBe('Imagem')
})

test('a late event causes no notification', () => {
  const event = {
    type: 'customer_message_notification' as const,
    data: data({}, { sentAt: '2026-11-20T11:58:00Z' }),
  }
  expect(noticeOf(event, nowMs, true)).toBeUndefined()
})

test('a conversation that began long before its event comes is no new one in the queue', () => {
  const { conversation, conversationId } = data({ startedAt: '2026-11-20T11:20:00Z' })
  const event = { conversation, conversationId, playSound: true as const }
  expect(noticeOf({ type: 'new_conversation_with_sound', data: event }, nowMs, true)).toBeUndefined()
})

test('an assignment to me and a new client in the queue are notified, other acts not', () => {
  const { conversation, conversationId } = data({ startedAt: '2026-11-20T12:00:00Z' })
  expect(
    noticeOf({ type: 'new_conversation_notification', data: { conversation, conversationId } }, nowMs, true)
      ?.body,
  ).toBe('Conversa atribuída a você')
  expect(
    noticeOf(
      { type: 'new_conversation_with_sound', data: { conversation, conversationId, playSound: true } },
      nowMs,
      false,
    )?.body,
  ).toBe('Nova conversa na fila')
  expect(noticeOf({ type: 'message_received', data: data() }, nowMs, true)).toBeUndefined()
})

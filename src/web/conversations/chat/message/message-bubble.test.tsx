// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { quoteOf } from '#web/conversations/cache/merge-fetched.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { MessageBubble } from './message-bubble.tsx'
import { inApp } from '#web/users/test-app.tsx'

function show(given: Partial<Message>, ends = true) {
  const message = messageRow(given)
  const { container } = render(
    <MessageBubble
      item={{ kind: 'message', key: '1', message, pending: null, startsGroup: true, endsGroup: ends }}
      contactName="Maria"
      actions={{
        onJump: () => undefined,
        onRetry: () => undefined,
        onResend: () => undefined,
        onDiscard: () => undefined,
      }}
    />,
    { wrapper: inApp(new QueryClient()) },
  )
  const bubble = container.querySelector('.rounded-bubble')
  return { container, has: (look: string) => bubble?.classList.contains(look) }
}

const sticker = { messageType: 'sticker', content: '' } as const
const quoted = quoteOf(messageRow({ id: 5 }))
const deletedAt = '2026-11-19T12:01:00.000Z'

test.each<[string, Partial<Message>, { line: string; hasShadow: boolean }]>([
  ['a sticker', sticker, { line: 'border-transparent', hasShadow: false }],
  ['a sticker of ours', { ...sticker, senderType: 'user' }, { line: 'border-transparent', hasShadow: false }],
  ['a sticker that quotes', { ...sticker, quoted }, { line: 'border-line', hasShadow: true }],
  ['a deleted sticker', { ...sticker, deletedAt }, { line: 'border-line', hasShadow: true }],
  [
    'a refused sticker',
    { ...sticker, senderType: 'user', deliveryStatus: 'failed' },
    { line: 'border-red-line', hasShadow: true },
  ],
  ['a text', {}, { line: 'border-line', hasShadow: true }],
])('%s has the border and the shadow that it should have', (_what, given, { line, hasShadow }) => {
  const { has } = show(given)
  expect([has(line), has('shadow-bubble')]).toEqual([true, hasShadow])
})

test('the last bubble of a group has a small corner at the side of its sender', () => {
  expect([true, false].map((ends) => show({ senderType: 'user' }, ends).has('rounded-br-[4px]'))).toEqual([
    true,
    false,
  ])
  expect(show({ senderType: 'contact' }).has('rounded-bl-[4px]')).toBe(true)
})

test('a quote names who wrote it: the client, myself, a colleague, or the product', () => {
  const name = (original: Partial<Message>) =>
    show({ quoted: quoteOf(messageRow({ id: 5, ...original })) }).container.querySelector('.truncate')
      ?.textContent
  expect([
    name({}),
    name({ senderType: 'user', senderId: 7, senderName: 'Ana Beatriz' }),
    name({ senderType: 'user', senderId: 8, senderName: 'Carla Menezes' }),
    name({ senderType: 'user', metadata: { origin: 'automatic' } }),
  ]).toEqual(['Maria', 'Você', 'Carla', 'Automática'])
})

test('an answer to a status says so above the quote, and a file without words is named by its kind', () => {
  const status = { ...quoteOf(messageRow({ id: 5, senderType: 'user' })), messageId: null, isStatus: true }
  const said = (more: Partial<NonNullable<Message['quoted']>>) =>
    show({ quoted: { ...status, ...more } }).container.querySelector('.border-l-\\[3px\\]')?.textContent
  expect(said({ messageType: 'video', content: '' })).toBe('Respondeu ao seu statusEquipeVídeo')
  expect(said({ senderType: 'contact', content: 'Oferta' })).toBe('Resposta a um statusMariaOferta')
  expect(said({ isStatus: false, senderType: null, messageType: 'audio', content: '' })).toBe('Áudio')
})

test('a message says that it was edited on the phone where the new text has not come', () => {
  const shown = (given: Partial<Message>) => show(given).container.textContent
  expect(shown({ metadata: { unreadEditAt: deletedAt } })).toContain(
    'editada no celular: o texto novo não chegou',
  )
  expect(shown({})).not.toContain('editada')
})

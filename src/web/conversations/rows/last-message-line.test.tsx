// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MessageType } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Me } from '#shared/users/users.ts'
import { MeContext } from '#web/users/me-context.ts'
import { LastMessageLine } from './last-message-line.tsx'
import { messageRow } from '#web/conversations/cache/test-rows.ts'

const show = (messageType: MessageType, content: string, more: Partial<Message> = {}) =>
  render(
    <MeContext value={{ id: 7 } as Me}>
      <LastMessageLine
        message={{
          ...messageRow({ messageType, content, ...more }),
          senderId: undefined,
          senderName: undefined,
        }}
      />
    </MeContext>,
  ).container

test.each<[MessageType, string]>([
  ['location', 'Localização'],
  ['poll', 'Enquete'],
  ['contact', 'Contato'],
  ['call', 'Chamada de voz'],
  ['unsupported', 'Mensagem não suportada'],
])('a %s without words is called %s, with an icon that says nothing more', (type, label) => {
  const shown = show(type, '')
  expect(shown.textContent).toBe(label)
  expect(shown.querySelector('svg')).not.toBeNull()
  expect(screen.queryByRole('img')).toBeNull()
})

test('the text of the last message follows an icon that names the kind', () => {
  expect(show('poll', 'Qual dia?').textContent).toBe('Qual dia?')
  expect(screen.getByRole('img', { name: 'Enquete' })).toBeDefined()
})

test('a last message is shown without the signs of its formatting', () => {
  const shown = show('text', 'Oi *Kauã*, o frete é ~grátis~')
  expect(shown.textContent).toBe('Oi Kauã, o frete é grátis')
  expect(shown.querySelector('[title]')?.getAttribute('title')).toBe('Oi Kauã, o frete é grátis')
})

test('a last message of plain text has no icon', () => {
  expect(show('text', 'oi').querySelector('svg')).toBeNull()
})

test('a last message that could not be sent says so, unless it was deleted', () => {
  show('text', 'Segue o boleto', { senderType: 'user', deliveryStatus: 'failed' })
  expect(screen.getByRole('img', { name: 'Não enviada:' })).toBeDefined()
  const deletedAt = '2026-11-19T12:00:00.000Z'
  const gone = show('text', '', { senderType: 'user', deliveryStatus: 'failed', deletedAt })
  expect(gone.querySelector('[aria-label="Não enviada:"]')).toBeNull()
})

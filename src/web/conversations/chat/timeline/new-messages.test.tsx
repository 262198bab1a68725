// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { NewMessages } from './new-messages.tsx'

test('only what the contact writes while the chat is open is announced, each message as its own text', () => {
  const old = messageRow({ id: 5, content: 'antes' })
  const shown = (...more: Parameters<typeof messageRow>[0][]) => (
    <NewMessages messages={[...more.map(messageRow), old]} contactName="Maria" />
  )
  const { container, rerender } = render(shown())
  const said = () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
  expect(container.firstElementChild?.getAttribute('aria-live')).toBe('polite')
  expect(said()).toEqual([])
  // An older page, one's own answer, and who opened the conversation.
  rerender(
    shown(
      { id: 2, content: 'bem antes' },
      { id: 6, senderType: 'user', content: 'minha' },
      { id: 7, messageType: 'view_tracking', content: 'visto' },
    ),
  )
  expect(said()).toEqual([])
  rerender(shown({ id: 8, content: 'olá?' }, { id: 9, content: '', messageType: 'audio' }))
  expect(said()).toEqual(['Maria: olá?', 'Maria: Áudio'])
})

test('the beginning of a text of 131,072 characters is read out', () => {
  const { container, rerender } = render(<NewMessages messages={[]} contactName="Maria" />)
  rerender(<NewMessages messages={[messageRow({ content: 'x'.repeat(131_072) })]} contactName="Maria" />)
  expect(container.textContent).toBe(`Maria: ${'x'.repeat(300)}…`)
})

// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { EventLine } from './event-line.tsx'
import { MessageMeta, MessageTime } from './message-meta.tsx'

test('a line of the archive has its date, like the messages beside it', () => {
  const message = messageRow({ messageType: 'view_tracking', content: 'Ana abriu a conversa' })
  const { container } = render(
    <MessageTime value={dateTime}>
      <EventLine message={message} type="view_tracking" />
    </MessageTime>,
  )
  expect(container.querySelector('time')?.textContent).toBe(dateTime(message.sortAt))
})

test('a message whose date is damaged says so in its place', () => {
  const message = messageRow({ content: 'oi', sortAt: 'ontem' })
  const { container } = render(
    <MessageTime value={dateTime}>
      <MessageMeta message={message} ink="" />
    </MessageTime>,
  )
  expect(container.querySelector('time')?.textContent).toBe('Data inválida')
})

// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { EventLine } from './event-line.tsx'
import { MessageTime } from './message-meta.tsx'

test('a line of the archive has its date, like the messages beside it', () => {
  const message = messageRow({ messageType: 'view_tracking', content: 'Ana abriu a conversa' })
  const { container } = render(
    <MessageTime value={dateTime}>
      <EventLine message={message} type="view_tracking" />
    </MessageTime>,
  )
  expect(container.querySelector('time')?.textContent).toBe(dateTime(message.sortAt))
})

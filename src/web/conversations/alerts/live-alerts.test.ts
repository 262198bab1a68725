// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { LiveEvent } from '#shared/live-events.ts'
import { alertChangeOf } from './live-alerts.ts'
import { conversationRow, messageRow } from '#web/conversations/cache/test-rows.ts'

const conversation = conversationRow({ id: 7 })
const data = { conversationId: 7, conversation }
const withMessage = { ...data, message: messageRow() }

test.each<[LiveEvent, string | undefined]>([
  [{ type: 'new_conversation_with_sound', data: { ...data, playSound: true } }, 'pushed'],
  [{ type: 'new_conversation_with_sound', data: { ...data, playSound: false } }, 'none'],
  [{ type: 'new_conversation', data }, 'none'],
  [{ type: 'new_conversation_notification', data }, 'ordinary'],
  [{ type: 'conversation_transferred', data }, 'ordinary'],
  [{ type: 'message_received', data: withMessage }, 'ordinary'],
  [{ type: 'conversation_removed', data: { conversationId: 7 } }, undefined],
  [{ type: 'queue_changed', data: {} }, undefined],
])('the sound of the live event %o', (event, sound) => {
  const change = alertChangeOf(event)
  expect(change?.kind === 'row' ? change.sound : undefined).toBe(sound)
})

// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { leadsToOtherChat } from './voice-recorder.tsx'

const from = (address: string) => new URL(address, 'https://balcao.example')

test.each([
  ['/chat?conversation=1', '/chat?conversation=2', true],
  ['/chat?conversation=1', '/contacts', true],
  ['/chat?conversation=1', '/chat?conversation=1&message=9', false],
  ['/chat?conversation=1', '/chat?search=maria&conversation=1', false],
  ['/chat?contact=1&pendingCreation=true', '/chat?contact=2&pendingCreation=true', true],
  ['/chat?contact=1&pendingCreation=true', '/chat?contact=1&pendingCreation=true&numero=3', false],
])('whoever records in %s and goes to %s leaves the chat: %s', (here, there, isLeft) => {
  expect(leadsToOtherChat(from(there), from(here))).toBe(isLeft)
})

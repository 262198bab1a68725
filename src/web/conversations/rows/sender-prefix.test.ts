import { expect, test } from 'vitest'
import { senderPrefix } from './sender-prefix.ts'

test.each([
  ['', { senderType: 'contact' }],
  ['Você: ', { senderType: 'user', senderId: 7, senderName: 'Ana Beatriz' }],
  ['Carla: ', { senderType: 'user', senderId: 8, senderName: 'Carla Menezes' }],
  ['Automática: ', { senderType: 'user', origin: 'automatic' }],
  // The lines about acts and texts of earlier versions name no origin.
  ['Automática: ', { senderType: 'user' }],
  ['Celular: ', { senderType: 'user', origin: 'phone' }],
  ['API: ', { senderType: 'user', origin: 'api' }],
] as const)('%j', (prefix, message) => {
  expect(senderPrefix(message, 7)).toBe(prefix)
})

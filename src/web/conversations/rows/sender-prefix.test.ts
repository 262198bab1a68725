import { expect, test } from 'vitest'
import { senderPrefix } from './sender-prefix.ts'

test.each([
  ['', { senderType: 'contact', senderId: null, senderName: null, origin: null }],
  ['Você: ', { senderType: 'user', senderId: 7, senderName: 'Ana Beatriz', origin: null }],
  ['Carla: ', { senderType: 'user', senderId: 8, senderName: 'Carla Menezes', origin: null }],
  ['Automática: ', { senderType: 'user', senderId: null, senderName: null, origin: 'automatic' }],
  // The lines about acts and texts of earlier versions name no origin.
  ['Automática: ', { senderType: 'user', senderId: null, senderName: null, origin: null }],
  ['Celular: ', { senderType: 'user', senderId: null, senderName: null, origin: 'phone' }],
  ['API: ', { senderType: 'user', senderId: null, senderName: null, origin: 'api' }],
] as const)('%j', (prefix, message) => {
  expect(senderPrefix(message, 7)).toBe(prefix)
})

import { expect, test } from 'vitest'
import { quotedName, senderPrefix } from './sender-name.ts'

test.each([
  ['', { senderType: 'contact' }],
  ['Você: ', { senderType: 'user', senderId: 7, senderName: 'Ana Beatriz' }],
  ['Carla: ', { senderType: 'user', senderId: 8, senderName: 'Carla Menezes' }],
  ['Automática: ', { senderType: 'user', origin: 'automatic' }],
  // The lines about acts and texts of earlier versions name no origin.
  ['Automática: ', { senderType: 'user' }],
  ['Celular: ', { senderType: 'user', origin: 'phone' }],
  ['API: ', { senderType: 'user', origin: 'api' }],
] as const)('the prefix %j names the sender of a message', (prefix, message) => {
  expect(senderPrefix(message, 7)).toBe(prefix)
})

test.each([
  ['Maria Souza', { senderType: 'contact' }],
  ['Você', { senderType: 'user', senderId: 7, senderName: 'Ana Beatriz' }],
  ['Carla', { senderType: 'user', senderId: 8, senderName: 'Carla Menezes' }],
  ['Automática', { senderType: 'user', origin: 'automatic' }],
  ['Celular', { senderType: 'user', origin: 'phone' }],
  // Of an original that is not stored nobody knows who of us wrote it.
  ['Equipe', { senderType: 'user', messageId: null }],
  ['Automática', { senderType: 'user', origin: 'automatic', messageId: null }],
  ['Maria Souza', { senderType: 'contact', messageId: null }],
  ['', { senderType: null, messageId: null }],
] as const)('a quote is of %j', (name, quoted) => {
  expect(quotedName({ messageId: 1, ...quoted }, { userId: 7, contactName: 'Maria Souza' })).toBe(name)
})

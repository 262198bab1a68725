import { expect, test } from 'vitest'
import { endingsOf, type Round, type ConversationState } from './model.ts'

const start: ConversationState = {
  status: 'active',
  subStatus: 'OPERADOR',
  holder: 1,
  waitingFor: 'client',
  version: 4,
  isQueued: false,
  timeline: ['oi', 'resposta'],
  audit: ['conversation.take 1'],
  late: 0,
}
const round: Round = {
  chatId: 1,
  start,
  rivals: ['message'],
  isAtBoundary: false,
  text: 'estou aqui',
  transfer: { by: 1, to: 2 },
}
const texts = { inactivity: 'encerrado', transfer: 'com Bia' }
const namesOf = (more: Partial<Round>) => [
  ...new Set(endingsOf({ ...round, ...more }, texts).map(({ name }) => name)),
]

test('a message keeps it open, or begins another conversation', () => {
  expect(endingsOf(round, texts)).toMatchObject([
    { name: 'closed, message in another', isWrittenElsewhere: true, state: { version: 5, late: 0 } },
    { name: 'message', isWrittenElsewhere: false, state: { waitingFor: 'operator', version: 5 } },
  ])
})

test('a transfer is no word of anybody: what is transferred while inactive is closed all the same', () => {
  expect(endingsOf({ ...round, rivals: ['transfer'] }, texts)).toMatchObject([
    { answer: '409 conversations.completed', state: { status: 'completed', holder: 1, version: 5 } },
    { answer: '200', state: { status: 'completed', holder: 2, version: 6 } },
  ])
})

test('only at the boundary may it stay open with nothing but a transfer', () => {
  expect(namesOf({ rivals: ['transfer'], isAtBoundary: true })).toContain('transferred')
  expect(namesOf({ rivals: ['transfer'] })).not.toContain('transferred')
})

test('of three each order has its ending', () => {
  expect(namesOf({ rivals: ['message', 'transfer'] }).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'closed, message in another, transfer refused',
    'closed, transfer refused, message in another',
    'message, transferred',
    'transferred, closed, message in another',
    'transferred, message',
  ])
})

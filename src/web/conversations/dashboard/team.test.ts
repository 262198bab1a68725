import { expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Operator } from '#shared/users/users.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { teamNow, waitingOver } from './team.ts'

const operator = (id: number, name: string, given: Partial<Operator> = {}): Operator => ({
  id,
  name,
  role: 'operator',
  pictureUrl: null,
  presence: 'online',
  isOnline: true,
  since: null,
  activeConversations: 0,
  capacity: 5,
  numberIds: null,
  ...given,
})
const at = (minutesAgo: number) =>
  new Date(Date.parse('2026-11-19T14:00:00Z') - minutesAgo * 60_000).toISOString()
let lastId = 0
const held = (assignedUserId: number | null, waitsMinutes: number | null): Conversation =>
  conversationRow({
    id: (lastId += 1),
    assignedUserId,
    waitingSince: waitsMinutes === null ? null : at(waitsMinutes),
    waitingFor: waitsMinutes === null ? 'client' : 'operator',
  })
const brief = (operators: Operator[], open: Conversation[]) =>
  teamNow(operators, open).map(({ operator: { name }, conversations, waiting, isBehindQueue }) =>
    [name, conversations.length, waiting, ...(isBehindQueue ? ['behind'] : [])].join(' '),
  )

const ana = operator(1, 'Ana')
const bruno = operator(2, 'Bruno')
const chefe = operator(9, 'Chefe', { role: 'supervisor' })

test('the operator whose client waits longest comes first in the team', () => {
  const open = [held(1, 4), held(1, null), held(2, 26), held(2, 3), held(null, 12)]
  expect(brief([ana, bruno], open)).toEqual(['Bruno 2 2 behind', 'Ana 2 1'])
  // Nobody waits longer than an empty queue.
  expect(brief([ana], [held(1, 1)])).toEqual(['Ana 1 1'])
  expect(brief([ana], [held(1, 12), held(null, 12)])).toEqual(['Ana 1 1'])
})

test('without anybody who waits: by presence, then by name', () => {
  const away = operator(3, 'Amélia', { presence: 'away' })
  const gone = operator(4, 'Álvaro', { presence: 'offline' })
  const agata = operator(5, 'Ágata')
  expect(brief([gone, bruno, away, agata, ana], [held(4, null)])).toEqual([
    'Ágata 0 0',
    'Ana 0 0',
    'Bruno 0 0',
    'Amélia 0 0',
    'Álvaro 1 0',
  ])
})

test('a supervisor is listed in the team while they have conversations', () => {
  expect(brief([ana, chefe], [])).toEqual(['Ana 0 0'])
  expect(brief([ana, chefe], [held(9, 2), held(null, 5)])).toEqual(['Chefe 1 1', 'Ana 0 0'])
})

test("a person's conversations: who waits longest first, who waits for nothing last", () => {
  const [quiet, short, long] = [held(1, null), held(1, 2), held(1, 20)]
  expect(teamNow([ana], [quiet, short, long])[0]?.conversations).toEqual([long, short, quiet])
})

test('whoever waits for longer is found in the queue and with everybody, the longest wait first', () => {
  const nowMs = Date.parse('2026-11-19T14:00:00Z')
  const open = [held(1, 16), held(1, null), held(2, 15), held(null, 40), held(9, 90), held(2, 3)]
  const ids = (minutes: number) =>
    waitingOver(open, minutes, nowMs).map(({ id }) => open.findIndex((row) => row.id === id))
  expect(ids(15)).toEqual([4, 3, 0])
  expect(ids(60)).toEqual([4])
  expect(ids(240)).toEqual([])
})

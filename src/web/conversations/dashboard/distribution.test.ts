import { expect, test } from 'vitest'
import type { Operator, PresenceState } from '#shared/users/users.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { testSector } from '#web/sectors/test-sectors.ts'
import { distribute } from './distribution.ts'

const person = (id: number, presence: PresenceState = 'online', role: Operator['role'] = 'operator') =>
  ({ id, name: `P${id}`, role, presence, numberIds: null }) as Operator
const held = (id: number, assignedUserId: number | null) => conversationRow({ id, assignedUserId })

test('each conversation goes to whoever has the fewest by then', () => {
  const given = [1, 2, 3, 4].map((id) => held(id, null))
  const open = [...given, held(10, 7), held(11, 7), held(12, 8)]
  const { plan, shares } = distribute(given, [person(7), person(8), person(9)], open, []) ?? {}
  expect([...(plan ?? [])].map(([id, { id: to }]) => [id, to])).toEqual([
    [1, 9],
    [2, 8],
    [3, 9],
    [4, 7],
  ])
  expect(shares?.map(({ operator, open: has, gets }) => [operator.id, has, gets])).toEqual([
    [7, 2, 1],
    [8, 1, 1],
    [9, 0, 2],
  ])
})

test('distributed conversations do not return to their operator, and only go to those online', () => {
  const given = [held(1, 7), held(2, 7)]
  const team = [person(7), person(8, 'away'), person(9, 'online', 'supervisor'), person(5)]
  const found = distribute(given, team, given, [])
  expect(found?.shares.map(({ operator, gets }) => [operator.id, gets])).toEqual([[5, 2]])
  expect(distribute(given, team.slice(0, 3), given, [])).toBeUndefined()
})

test('a conversation goes only to whoever answers its number; one that nobody answers stays', () => {
  const at = (id: number, instanceId: number) => conversationRow({ id, instanceId, assignedUserId: null })
  const given = [at(1, 1), at(2, 2), at(3, 2), at(4, 3)]
  const team = [
    { ...person(7), numberIds: [1] },
    { ...person(8), numberIds: [1, 2] },
  ]
  const found = distribute(given, team, given, [])
  expect([...(found?.plan ?? [])].map(([id, { id: to }]) => [id, to])).toEqual([
    [1, 7],
    [2, 8],
    [3, 8],
  ])
  expect(distribute([at(5, 3)], team, given, [])).toBeUndefined()
})

test('a conversation of a sector goes to its people alone, and one without to anybody', () => {
  const of = (id: number, sectorId: number | null) => conversationRow({ id, sectorId, assignedUserId: null })
  const given = [of(1, 5), of(2, 6), of(3, null), of(4, 99)]
  const sectors = [testSector(5, 'Comercial', [8]), testSector(6, 'Suporte', [])]
  const found = distribute(given, [person(7), person(8)], given, sectors)
  expect([...(found?.plan ?? [])].map(([id, { id: to }]) => [id, to])).toEqual([
    [1, 8],
    [3, 7],
  ])
})

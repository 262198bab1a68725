import { expect, test } from 'vitest'
import { flags, givenFlags } from '#shared/permissions.ts'
import { givenRows, isAsStrict } from './given-rows.ts'
import { principals } from './principals.ts'
import { table } from './table.ts'

const given = { ceiling: ['admin', 'supervisor'], flags: [['a', 'b'], ['c']] }

test('no given row of the permission table is weakened', () => {
  const weakened = Object.entries(givenRows).filter(
    ([id, row]) =>
      !isAsStrict(
        table.endpoints.find((one) => one.id === id),
        row,
      ),
  )
  expect(weakened.map(([id]) => id)).toEqual([])
})

test('a row is as strict with more conditions and fewer roles, and not with less', () => {
  const now = { ceiling: ['admin' as const], flags: [['a'], ['c'], ['d']] }
  expect(isAsStrict(now, given)).toBe(true)
  expect(isAsStrict({ ...now, ceiling: ['admin', 'operator'] }, given)).toBe(false)
  expect(isAsStrict({ ...now, flags: [['a', 'd'], ['c']] }, given)).toBe(false)
  expect(isAsStrict({ ...now, flags: [['a']] }, given)).toBe(false)
  expect(isAsStrict(undefined, given)).toBe(false)
})

test('the given rows and the principals of the given flags make the given 14,260 cells', () => {
  const ofRooms = flags.slice(givenFlags.length)
  const ofGiven = principals.filter(({ name }) => !ofRooms.some((flag) => name.endsWith(` ${flag}`)))
  expect(ofGiven.length).toBe(155)
  expect(Object.keys(givenRows).length * ofGiven.length).toBe(14_260)
  // Alone and as the only one that is missing, of a supervisor and of an operator.
  expect(principals.length - ofGiven.length).toBe(4 * ofRooms.length)
})

import { expect, test } from 'vitest'
import { flags, type Flags, givenFlags, type Role, roles } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { someone } from '#server/testing/plain-who.ts'
import { allRows } from '#server/testing/calls.ts'
import { isPermitted, type Who } from './access.ts'
import { guesserAddress } from './source/guesser-address.ts'

const declared = await allRows()

test('the rows of the permission table have names of their own', () => {
  expect(new Set(declared.map(({ id }) => id)).size).toBe(declared.length)
  expect(declared.length).toBeGreaterThan(200)
})

const every = (value: boolean) => Object.fromEntries(flags.map((flag) => [flag, value])) as Flags
const who = (role: Role, granted: Flags): Who => ({ ...someone, role, flags: granted })

test.each(declared.filter((row) => !row.public).map((row) => [row.id, row] as const))(
  '%s asks for its ceiling, and for every flag of it by itself',
  (_id, { row, ceiling, flags: needed }) => {
    for (const role of roles) {
      const isUnder = ceiling.includes(role)
      expect(isPermitted(who(role, every(true)), row)).toBe(isUnder)
      expect(isPermitted(who(role, every(false)), row)).toBe(isUnder && needed.length === 0)
      for (const flag of flags) {
        const without = { ...every(true), [flag]: false }
        const isNeeded = needed.some((group) => group.length === 1 && group[0] === flag)
        expect(isPermitted(who(role, without), row)).toBe(isUnder && !isNeeded)
      }
    }
  },
)

test.each(['supervisor', 'operator'] as const)(
  'the defaults of a %s name every flag, of which 34 are given',
  (role) => {
    expect(Object.keys(defaultFlags(role)).toSorted()).toEqual([...flags].toSorted())
    expect(flags.slice(0, 34)).toEqual(givenFlags)
  },
)

test.each([
  ['203.0.114.9', '203.0.114.9'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['10.0.0.2', '10.0.0.2'],
  ['2a02:6b8::1', '2a02:6b8:0:0::/64'],
  ['2a02:6b8:0:0:ffff:1:2:3', '2a02:6b8:0:0::/64'],
  ['2a02:6b8:0:1::1', '2a02:6b8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['what is this', 'what is this'],
])('guesses from %s are counted by %s', (peer, counted) => {
  expect(guesserAddress(peer)).toBe(counted)
})

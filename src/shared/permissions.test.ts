import { expect, test } from 'vitest'
import { flagRuleOf, flags, givenFlags, powerlessFlags } from './permissions.ts'
import table from './permissions.json' with { type: 'json' }
import { flagGroups } from './text/rights/flag-texts.ts'

test('every flag has one place among the groups, and the given ones have their order', () => {
  const shown = flagGroups.flatMap((group) => group.flags.map(({ flag }) => flag))
  expect(shown.toSorted()).toEqual(flags.toSorted())
  expect(shown.filter((flag) => flagRuleOf(flag) === undefined)).toEqual(givenFlags)
})

test.each(['supervisor', 'operator'] as const)('the flags that give a %s nothing', (role) => {
  const given = new Set(
    table.endpoints.filter(({ ceiling }) => ceiling.includes(role)).flatMap((row) => row.flags.flat()),
  )
  expect(powerlessFlags[role]).toEqual(flags.filter((flag) => !given.has(flag)))
})

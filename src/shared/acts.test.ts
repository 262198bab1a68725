import { expect, test } from 'vitest'
import { type Act, acts, may, obstacleOf, ruleOf, screenPaths, screenRuleOf } from './acts.ts'
import { flags, type Flags, roles } from './permissions.ts'
import table from './permissions.json' with { type: 'json' }
import { actGroups } from './text/rights/act-texts.ts'

/** Acts whose rule is that of no call: of a control with several calls, or of a screen. */
const without: Partial<Record<Act, { within: string } | 'no call'>> = {
  viewTeam: { within: 'GET /api/users/operators' },
  leadTeam: { within: 'GET /api/users/operators' },
  viewMediaSettings: { within: 'GET /api/media-settings' },
  // Whoever may do one of the two below, and sees what they would hand over.
  handOver: 'no call',
  // A screen of the specification for administrators; its calls admit supervisors.
  openAdvancedSettings: 'no call',
}

const sorted = (required: readonly (string | readonly string[])[]) =>
  required.map((group) => [group].flat().toSorted().join(' ')).toSorted()
const rolesOf = (act: Act) => ruleOf(act).roles ?? roles

test.each(acts.filter((act) => !without[act]))('the rule of %s is that of a call', (act) => {
  const isOfCall = table.endpoints.some(
    ({ flags: needed, ceiling }) =>
      sorted(needed).join() === sorted(ruleOf(act).requires).join() &&
      ceiling.toSorted().join() === rolesOf(act).toSorted().join(),
  )
  expect(isOfCall).toBe(true)
})

const within = Object.entries(without).flatMap(([act, call]) =>
  call === 'no call' ? [] : [{ act: act as Act, id: call.within }],
)

test.each(within)('the rule of $act admits nobody whom $id refuses', ({ act, id }) => {
  const row = table.endpoints.find((one) => one.id === id)
  const isMet = (group: readonly string[]) =>
    ruleOf(act).requires.some((own) => [own].flat().every((flag) => group.includes(flag)))
  expect(row?.flags.filter((group) => !isMet(group))).toEqual([])
  expect(rolesOf(act).filter((role) => !row?.ceiling.includes(role))).toEqual([])
})

const all = Object.fromEntries(flags.map((flag) => [flag, true])) as Flags
const none = Object.fromEntries(flags.map((flag) => [flag, false])) as Flags

test('an administrator may do everything', () => {
  expect(acts.filter((act) => !may({ role: 'admin', permissions: all }, act))).toEqual([])
})

test('an act that somebody may not do has a reason, a permitted one has none', () => {
  for (const role of ['supervisor', 'operator'] as const)
    for (const permissions of [all, none])
      for (const act of acts)
        expect(obstacleOf({ role, permissions }, act) === undefined).toBe(may({ role, permissions }, act))
})

test('a reason names the missing flags, one of each group', () => {
  const permissions = { ...none, canViewConversations: true }
  expect(obstacleOf({ role: 'operator', permissions }, 'handOver')).toEqual({
    flags: [['canEditConversations', 'canTransferConversations']],
  })
  expect(obstacleOf({ role: 'operator', permissions: all }, 'manageGateway')).toEqual({ roles: ['admin'] })
})

test('every act has its place on a screen', () => {
  const placed = new Set<Act>(actGroups.flatMap((group) => group.acts.map(({ act }) => act)))
  // An act that opens a screen is told with it.
  const opening = new Set(screenPaths.map((path) => screenRuleOf(path).opensWith))
  expect(acts.filter((act) => !placed.has(act) && !opening.has(act))).toEqual([])
})

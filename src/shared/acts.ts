import { type Flag, type Flags, holds, type Requirement, type Role } from './permissions.ts'
import type { Rule, ScreenRule } from './rights.ts'
import { acts as actsOfRooms, screens as screensOfRooms } from './rooms/rights.ts'

/**
 * What a screen asks for before it shows or offers something, and what the server asks for behind controls
 * that everybody sees. The browser asks by these names only (`useCan`), so that 'Ver como' knows every rule.
 * Calls are declared with them, so that each rule is written once, in the `rights.ts` of its room.
 */
const rules = actsOfRooms satisfies Readonly<Record<string, Rule<Flag>>>

export type Act = keyof typeof rules
export const acts = Object.keys(rules) as Act[]
export const ruleOf = (act: Act): Rule<Flag> => rules[act]

/**
 * Who may make a call: whoever may do an act, whoever has the flags and one of the roles (absent: any role),
 * or anybody, with a session or without. With `roles: []` it is nobody.
 */
export type Permission =
  | { act: Act; needs?: never; roles?: never; isPublic?: never }
  | { isPublic: true; act?: never; needs?: never; roles?: never }
  | { needs: Requirement; roles?: readonly Role[]; act?: never; isPublic?: never }

/** What the permission of a call asks for. */
export const conditionOf = ({ act, needs: requires = [], roles }: Permission): Rule<Flag> =>
  act ? rules[act] : { requires, ...(roles && { roles }) }

/** Of whom it is asked. The flags are the effective ones. */
export interface Who {
  role: Role
  permissions: Flags
  /** The sectors that they are in; absent: none. */
  sectors?: readonly { isLead: boolean }[]
}

export const may = (who: Who, act: Act): boolean => admits({ act }, who)

export function admits(permission: Permission, { role, permissions, sectors }: Who): boolean {
  const { requires, roles, orLead } = conditionOf(permission)
  if (orLead && sectors?.some(({ isLead }) => isLead)) return true
  return (!roles || roles.includes(role)) && holds(permissions, requires)
}

/** Why somebody may not: the roles that may, or the flags of which one of each group is missing. */
export type Obstacle = { roles: readonly Role[] } | { flags: (readonly Flag[])[] }

/** What stands in the way of an act; undefined if nothing does. */
export function obstacleOf(who: Who, act: Act): Obstacle | undefined {
  if (may(who, act)) return undefined
  const { role, permissions } = who
  const { requires, roles } = ruleOf(act)
  if (roles && !roles.includes(role)) return { roles }
  const flags = requires.filter((group) => !holds(permissions, [group])).map((group) => [group].flat())
  return flags.length > 0 ? { flags } : undefined
}

const screenRules = screensOfRooms satisfies Readonly<Record<string, ScreenRule<Act>>>

export type ScreenPath = keyof typeof screenRules
export const screenRuleOf = (path: ScreenPath): ScreenRule<Act> => screenRules[path]

/** The screens that exist, by their address, in their order. */
export const screenPaths = (Object.keys(screenRules) as ScreenPath[]).toSorted(
  (a, b) => screenRules[a].place - screenRules[b].place,
)

/** Whether the side bar leads to a screen. */
export function isInMenu(who: Who, path: ScreenPath): boolean {
  const { inMenuOf, inMenuWith } = screenRuleOf(path)
  return inMenuOf.includes(who.role) && (inMenuWith === undefined || may(who, inMenuWith))
}

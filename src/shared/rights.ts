// The words in which a room declares, in its `rights.ts`, who may do what. Flags and acts are plain strings
// here: `permissions.ts` and `acts.ts`, which put the rooms together, compile only with those that exist.

export const roles = ['admin', 'supervisor', 'operator'] as const
export type Role = (typeof roles)[number]

/** Every group must be met; a group is met by one of its flags. */
export type RequirementOf<Flag extends string> = readonly (Flag | readonly Flag[])[]

/** Who may do something: one of the roles, with the flags. */
export interface Rule<Flag extends string = string> {
  requires: RequirementOf<Flag>
  /** Absent: all of them. */
  roles?: readonly Role[]
  /** Or whoever leads a sector, whatever their role and flags. */
  orLead?: boolean
}

export const needs = <const Requires extends RequirementOf<string>>(...requires: Requires) => ({ requires })
export const adminsWith = <const Requires extends RequirementOf<string>>(...requires: Requires) => ({
  requires,
  roles: ['admin'] as const,
})
export const supervisorsWith = <const Requires extends RequirementOf<string>>(...requires: Requires) => ({
  requires,
  roles: ['admin', 'supervisor'] as const,
})

/** A screen of the console, by its address. */
export interface ScreenRule<Act extends string = string> {
  /** As the side bar and its heading name it. */
  title: string
  /** Its place in the side bar and wherever screens are listed, from the top; with room between them. */
  place: number
  /** The roles that have it in their side bar. @see specification §2 Shell */
  inMenuOf: readonly Role[]
  /** What else that needs. */
  inMenuWith?: Act
  /** What one must be allowed to do, or the screen denies access. Absent: it opens for everybody. */
  opensWith?: Act
}

export const admins: readonly Role[] = ['admin']
export const supervisors: readonly Role[] = ['admin', 'supervisor']

/** A flag of a permission record, beside the 34 that the specification gives. */
export interface FlagRule {
  /** The roles that a call with the flag admits: to the others it gives nothing, and is shown as off. */
  servesRoles: readonly Role[]
  /** Who has it until flags are stored for them. Administrators have every flag. */
  givenTo: readonly Exclude<Role, 'admin'>[]
}

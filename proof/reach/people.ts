import { flagNames, type Role, table } from '../access/law/table.ts'
import type { Person } from '../access/law/principals.ts'

export const scopes = ['own', 'sector', 'all'] as const
export type Scope = (typeof scopes)[number]

/** In which sectors somebody is: in none, in the first, in both, or the lead of the first. */
export const memberships = ['none', 'A', 'A and B', 'lead of A'] as const
export type Membership = (typeof memberships)[number]

/** Somebody with a role, flags, a scope, sectors and numbers. */
export interface Reader extends Person {
  role: Role
  /** As it is stored; what the role makes of it is the law's matter. */
  scope: Scope
  membership: Membership
  /** One number of two, or all. */
  isOfOneNumber: boolean
}

const roles: readonly Role[] = ['operator', 'supervisor', 'admin']

/** Flags that decide about conversations, besides those of the role. */
const more = [
  'canViewArchivedConversations',
  'canTransferConversations',
  'canDeleteConversations',
  'canCreateConversations',
  'canBlockContacts',
  'canViewContacts',
  'canViewCompanies',
  'canViewStatistics',
  'canViewAuditLogs',
  'canDownloadMedia',
  'canManageSectors',
]

/** A record with the flags of the role and these. */
const withMore = (role: Role) => ({
  ...Object.fromEntries(flagNames.map((flag) => [flag, false])),
  ...(role === 'admin' ? {} : table.defaults[role]),
  ...Object.fromEntries(more.map((flag) => [flag, true])),
})

/** Everybody of the proof: 144 people, of whom no two have all of these in common. */
export const readers: readonly Reader[] = roles.flatMap((role) =>
  scopes.flatMap((scope) =>
    memberships.flatMap((membership) =>
      [false, true].flatMap((isOfOneNumber) =>
        [false, true].map((hasMore): Reader => {
          const sectors = membership === 'none' ? 'in no sector' : membership.replace(/^A/, 'in A')
          const numbers = isOfOneNumber ? 'one number' : 'all numbers'
          const flags = hasMore ? 'more flags' : 'flags of the role'
          return {
            name: `${role}, ${scope}, ${sectors}, ${numbers}, ${flags}`,
            role,
            record: hasMore ? withMore(role) : null,
            scope,
            membership,
            isOfOneNumber,
          }
        }),
      ),
    ),
  ),
)

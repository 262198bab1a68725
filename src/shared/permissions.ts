import * as z from 'zod/mini'
import type { FlagRule, RequirementOf, Role } from './rights.ts'
import { flags as roomFlags } from './rooms/rights.ts'

export { type Role, roles } from './rights.ts'

/** The flags of a permission record that the specification gives. @see specification §3 user_permissions */
export const givenFlags = [
  'canViewDashboard',
  'canViewStatistics',
  'canViewConversations',
  'canCreateConversations',
  'canEditConversations',
  'canDeleteConversations',
  'canFinalizeConversations',
  'canTransferConversations',
  'canViewArchivedConversations',
  'canViewTrackingMessages',
  'canViewContacts',
  'canCreateContacts',
  'canEditContacts',
  'canDeleteContacts',
  'canBlockContacts',
  'canImportContacts',
  'canExportContacts',
  'canViewCompanies',
  'canCreateCompanies',
  'canEditCompanies',
  'canDeleteCompanies',
  'canViewUsers',
  'canCreateUsers',
  'canEditUsers',
  'canDeleteUsers',
  'canManagePermissions',
  'canViewSettings',
  'canEditSettings',
  'canManageEvolutionApi',
  'canViewAuditLogs',
  'canManageCategories',
  'canAccessMaintenance',
  'canUploadMedia',
  'canDownloadMedia',
] as const

export type Flag = keyof (Record<(typeof givenFlags)[number], unknown> & typeof roomFlags)

const rulesOfRooms: Readonly<Partial<Record<Flag, FlagRule>>> = roomFlags

/** All flags of a permission record: the given ones, and behind them those that rooms declare. */
export const flags: readonly Flag[] = [...givenFlags, ...(Object.keys(rulesOfRooms) as Flag[])]
export const flagRuleOf = (flag: Flag): FlagRule | undefined => rulesOfRooms[flag]

export type Flags = Record<Flag, boolean>
export const flagsSchema = z.record(z.enum(flags), z.boolean())

/** What flags are asked for. */
export type Requirement = RequirementOf<Flag>

export function holds(granted: Flags, required: Requirement): boolean {
  return required.every((group) =>
    typeof group === 'string' ? granted[group] : group.some((flag) => granted[flag]),
  )
}

const givenPowerless: Readonly<Record<Exclude<Role, 'admin'>, readonly Flag[]>> = {
  supervisor: [
    'canViewTrackingMessages',
    'canViewUsers',
    'canCreateUsers',
    'canEditUsers',
    'canDeleteUsers',
    'canManagePermissions',
    'canManageEvolutionApi',
    'canAccessMaintenance',
  ],
  operator: [
    'canViewTrackingMessages',
    'canViewUsers',
    'canCreateUsers',
    'canEditUsers',
    'canDeleteUsers',
    'canManagePermissions',
    'canEditSettings',
    'canManageEvolutionApi',
    'canViewAuditLogs',
    'canManageCategories',
    'canAccessMaintenance',
  ],
}

const powerlessOf = (role: Exclude<Role, 'admin'>): readonly Flag[] => [
  ...givenPowerless[role],
  ...flags.filter((flag) => flagRuleOf(flag)?.servesRoles.includes(role) === false),
]

/**
 * The flags that give a role nothing, since no call that asks for one admits the role: they are shown as off.
 * A test compares them with the permission table, which browsers do not load.
 */
export const powerlessFlags = { supervisor: powerlessOf('supervisor'), operator: powerlessOf('operator') }

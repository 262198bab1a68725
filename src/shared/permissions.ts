import * as z from 'zod/mini'

/** The 34 flags of a permission record. @see specification §3 user_permissions */
export const flags = [
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

export type Flag = (typeof flags)[number]
export type Flags = Record<Flag, boolean>
export const flagsSchema = z.record(z.enum(flags), z.boolean())

export const roles = ['admin', 'supervisor', 'operator'] as const
export type Role = (typeof roles)[number]

/** Every group must be met; a group is met by one of its flags. */
export type Requirement = readonly (Flag | readonly Flag[])[]

export function holds(granted: Flags, required: Requirement): boolean {
  return required.every((group) =>
    typeof group === 'string' ? granted[group] : group.some((flag) => granted[flag]),
  )
}

/**
 * The flags that give a role nothing, since no call that asks for one admits the role: they are shown as off.
 * A test compares them with the permission table, which browsers do not load.
 */
export const powerlessFlags: Record<Exclude<Role, 'admin'>, readonly Flag[]> = {
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

import { type Flag, flagRuleOf, flags, type Flags, type Role } from '#shared/permissions.ts'

const withheldFromSupervisors: readonly Flag[] = [
  'canDeleteUsers',
  'canManagePermissions',
  'canManageEvolutionApi',
]

const givenToOperators: readonly Flag[] = [
  'canViewDashboard',
  'canViewStatistics',
  'canViewConversations',
  'canEditConversations',
  'canFinalizeConversations',
  'canTransferConversations',
  'canViewContacts',
  'canCreateContacts',
  'canEditContacts',
  'canUploadMedia',
  'canDownloadMedia',
]

/** What a person of a role may do until flags are stored for them. Administrators have every flag. */
export function defaultFlags(role: Exclude<Role, 'admin'>): Flags {
  const isGiven = (flag: Flag) =>
    flagRuleOf(flag)?.givenTo.includes(role) ??
    (role === 'operator' ? givenToOperators.includes(flag) : !withheldFromSupervisors.includes(flag))
  return Object.fromEntries(flags.map((flag) => [flag, isGiven(flag)])) as Flags
}

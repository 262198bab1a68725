import { type Flag, type Flags, holds, type Requirement, type Role } from './permissions.ts'

/** Who may do something: one of the roles, with the flags. */
interface Rule {
  requires: Requirement
  /** Absent: all of them. */
  roles?: readonly Role[]
}

const needs = (...requires: Requirement): Rule => ({ requires })
const adminsWith = (...requires: Requirement): Rule => ({ requires, roles: ['admin'] })
const supervisorsWith = (...requires: Requirement): Rule => ({ requires, roles: ['admin', 'supervisor'] })

/**
 * What a screen asks for before it shows or offers something, and what the server asks for behind controls
 * that everybody sees. The browser asks by these names only (`useCan`), so that 'Ver como' knows every rule.
 * Calls are declared with them, so that each rule is written once.
 */
const rules = {
  viewDashboard: needs('canViewDashboard'),
  viewStatistics: needs('canViewStatistics'),
  viewTeam: needs('canViewConversations', ['canViewStatistics', 'canTransferConversations']),
  viewConversations: needs('canViewConversations'),
  viewWholeArchive: needs('canViewConversations', 'canViewArchivedConversations'),
  viewTracking: adminsWith('canViewTrackingMessages'),
  startConversation: needs('canViewContacts', 'canCreateConversations'),
  viewContacts: needs('canViewContacts'),
  viewNotices: adminsWith(),
  takeNext: needs('canEditConversations'),
  take: needs('canEditConversations'),
  transfer: needs('canTransferConversations'),
  finalize: needs('canFinalizeConversations'),
  handOver: needs('canViewConversations', ['canEditConversations', 'canTransferConversations']),
  handOverToQueue: needs('canEditConversations'),
  handOverToColleague: needs('canTransferConversations'),
  reply: needs('canViewConversations', 'canEditConversations'),
  attachFile: needs('canUploadMedia', 'canEditConversations'),
  openFiles: needs('canDownloadMedia', 'canViewConversations'),
  changeMessage: needs('canViewConversations', 'canEditConversations'),
  toggleAutoClose: needs('canEditConversations'),
  prioritize: needs('canEditConversations'),
  deleteConversation: needs('canDeleteConversations'),
  deleteArchived: adminsWith('canDeleteConversations'),
  createContact: needs('canCreateContacts'),
  editContact: needs('canEditContacts'),
  deleteContact: needs('canDeleteContacts'),
  mergeContacts: adminsWith('canEditContacts'),
  blockContact: needs('canBlockContacts'),
  exportPersonalData: adminsWith('canExportContacts'),
  anonymizeContact: adminsWith('canDeleteContacts'),
  viewPrivacyRequests: adminsWith(['canExportContacts', 'canDeleteContacts']),
  importContacts: needs('canImportContacts', 'canCreateContacts'),
  updateByImport: needs('canImportContacts', 'canCreateContacts', 'canEditContacts'),
  exportContacts: needs('canExportContacts', 'canViewContacts'),
  viewCompanies: needs(['canViewContacts', 'canViewConversations', 'canViewCompanies']),
  createCompany: needs('canCreateCompanies'),
  editCompany: needs('canEditCompanies'),
  deleteCompany: needs('canDeleteCompanies'),
  mergeCompanies: needs('canEditCompanies', 'canDeleteCompanies'),
  viewUsers: adminsWith('canViewUsers'),
  createUser: adminsWith('canCreateUsers'),
  editUser: adminsWith('canEditUsers'),
  deleteUser: adminsWith('canDeleteUsers'),
  managePermissions: adminsWith('canManagePermissions'),
  viewSettings: supervisorsWith('canViewSettings'),
  viewMediaSettings: needs('canViewSettings'),
  editSettings: supervisorsWith('canEditSettings'),
  openAdvancedSettings: adminsWith(),
  viewReports: supervisorsWith('canViewStatistics'),
  viewAudit: supervisorsWith('canViewAuditLogs'),
  manageCategories: supervisorsWith('canManageCategories'),
  manageGateway: adminsWith('canManageEvolutionApi'),
  manageAssistant: adminsWith('canEditSettings'),
  accessMaintenance: adminsWith('canAccessMaintenance'),
} as const satisfies Record<string, Rule>

export type Act = keyof typeof rules
export const acts = Object.keys(rules) as Act[]
export const ruleOf = (act: Act): Rule => rules[act]

/**
 * Who may make a call: whoever may do an act, whoever has the flags and one of the roles (absent: any role),
 * or anybody, with a session or without. With `roles: []` it is nobody.
 */
export type Permission =
  | { act: Act; needs?: never; roles?: never; isPublic?: never }
  | { isPublic: true; act?: never; needs?: never; roles?: never }
  | { needs: Requirement; roles?: readonly Role[]; act?: never; isPublic?: never }

/** What the permission of a call asks for. */
export const conditionOf = ({ act, needs: requires = [], roles }: Permission): Rule =>
  act ? rules[act] : { requires, ...(roles && { roles }) }

/** Of whom it is asked. The flags are the effective ones. */
export interface Who {
  role: Role
  permissions: Flags
}

export const may = (who: Who, act: Act): boolean => admits({ act }, who)

export function admits(permission: Permission, { role, permissions }: Who): boolean {
  const { requires, roles } = conditionOf(permission)
  return (!roles || roles.includes(role)) && holds(permissions, requires)
}

/** Why somebody may not: the roles that may, or the flags of which one of each group is missing. */
export type Obstacle = { roles: readonly Role[] } | { flags: (readonly Flag[])[] }

/** What stands in the way of an act; undefined if nothing does. */
export function obstacleOf({ role, permissions }: Who, act: Act): Obstacle | undefined {
  const { requires, roles } = ruleOf(act)
  if (roles && !roles.includes(role)) return { roles }
  const flags = requires.filter((group) => !holds(permissions, [group])).map((group) => [group].flat())
  return flags.length > 0 ? { flags } : undefined
}

interface ScreenRule {
  /** The roles that have it in their side bar. @see specification §2 Shell */
  inMenuOf: readonly Role[]
  /** What else that needs. */
  inMenuWith?: Act
  /** What one must be allowed to do, or the screen denies access. Absent: it opens for everybody. */
  opensWith?: Act
}

const everyone: readonly Role[] = ['admin', 'supervisor', 'operator']
const admins: readonly Role[] = ['admin']
const supervisors: readonly Role[] = ['admin', 'supervisor']

/** The screens that exist, by their address. */
const screenRules = {
  '/': { inMenuOf: everyone, opensWith: 'viewDashboard' },
  '/conversas-ativas': { inMenuOf: everyone, opensWith: 'viewConversations' },
  '/chat': { inMenuOf: [], opensWith: 'viewConversations' },
  '/conversas-arquivadas': { inMenuOf: everyone, opensWith: 'viewConversations' },
  '/contacts': { inMenuOf: everyone, opensWith: 'viewContacts' },
  '/contacts/import': { inMenuOf: [], opensWith: 'importContacts' },
  '/companies': { inMenuOf: everyone, opensWith: 'viewCompanies' },
  '/perfil': { inMenuOf: [] },
  '/users': { inMenuOf: admins, opensWith: 'viewUsers' },
  '/permissions': { inMenuOf: admins, opensWith: 'managePermissions' },
  '/settings': { inMenuOf: admins },
  '/settings-advanced': { inMenuOf: [], opensWith: 'openAdvancedSettings' },
  '/maintenance': { inMenuOf: admins, opensWith: 'accessMaintenance' },
  '/reports': { inMenuOf: supervisors, opensWith: 'viewReports' },
  '/auditoria': { inMenuOf: supervisors, inMenuWith: 'viewAudit', opensWith: 'viewAudit' },
} as const satisfies Record<string, ScreenRule>

export type ScreenPath = keyof typeof screenRules
export const screenPaths = Object.keys(screenRules) as ScreenPath[]
export const screenRuleOf = (path: ScreenPath): ScreenRule => screenRules[path]

/** Whether the side bar leads to a screen. */
export function isInMenu(who: Who, path: ScreenPath): boolean {
  const { inMenuOf, inMenuWith } = screenRuleOf(path)
  return inMenuOf.includes(who.role) && (inMenuWith === undefined || may(who, inMenuWith))
}

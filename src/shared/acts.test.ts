import { expect, test } from 'vitest'
import { type Act, acts, may, obstacleOf, ruleOf, screenPaths } from './acts.ts'
import { flags, type Flags, type Requirement, roles } from './permissions.ts'
import table from './permissions.json' with { type: 'json' }
import { actGroups } from './text/rights/act-texts.ts'

/** The call behind each act; `within` asks for less than the screen does. */
const calls: Record<Act, { same: string } | { within: string } | 'no call'> = {
  viewDashboard: { same: 'GET /api/stats (queue block)' },
  viewStatistics: { same: 'GET /api/stats (statistics block)' },
  viewTeam: { within: 'GET /api/users/operators' },
  viewConversations: { same: 'GET /api/conversations' },
  viewWholeArchive: { same: 'GET /api/conversations/archived (all)' },
  viewTracking: { same: 'WS recv queue*/view_tracking rows' },
  startConversation: { same: 'POST /api/contacts/{id}/start-conversation (new)' },
  viewContacts: { same: 'GET /api/contacts' },
  viewNotices: { same: 'GET /api/notices' },
  takeNext: { same: 'POST /api/conversations/take-next' },
  take: { same: 'PATCH /api/conversations/{id}/assign-operator (self)' },
  transfer: { same: 'POST /api/conversations/{id}/transfer' },
  finalize: { same: 'POST /api/conversations/{id}/finalize' },
  // Whoever may do one of the two below, and sees what he would hand over.
  handOver: 'no call',
  handOverToQueue: { same: 'POST /api/conversations/hand-over (queue)' },
  handOverToColleague: { same: 'POST /api/conversations/hand-over (other)' },
  reply: { same: 'POST /api/conversations/{id}/messages' },
  attachFile: { same: 'POST /api/media/upload' },
  openFiles: { same: 'GET /api/conversations/{open}/media' },
  changeMessage: { same: 'PUT /api/conversations/{id}/messages/{messageId}' },
  toggleAutoClose: { same: 'PATCH /api/conversations/{id}/toggle-auto-close' },
  prioritize: { same: 'PATCH /api/conversations/{id}/priority' },
  deleteConversation: { same: 'DELETE /api/conversations/{open}' },
  deleteArchived: { same: 'DELETE /api/conversations/{archived}' },
  createContact: { same: 'POST /api/contacts' },
  editContact: { same: 'PUT /api/contacts/{id}' },
  deleteContact: { same: 'DELETE /api/contacts/{id}' },
  mergeContacts: { same: 'POST /api/contacts/{id}/merge' },
  blockContact: { same: 'POST /api/contacts/{id}/block' },
  exportPersonalData: { same: 'GET /api/contacts/{id}/personal-data' },
  anonymizeContact: { same: 'POST /api/contacts/{id}/anonymize' },
  viewPrivacyRequests: { same: 'GET /api/privacy-requests' },
  importContacts: { same: 'POST /api/contacts/import' },
  updateByImport: { same: 'POST /api/contacts/imports/{id}/start (update)' },
  exportContacts: { same: 'GET /api/contacts/export' },
  viewCompanies: { same: 'GET /api/companies (list)' },
  createCompany: { same: 'POST /api/companies' },
  editCompany: { same: 'PUT /api/companies/{id}' },
  mergeCompanies: { same: 'POST /api/companies/{id}/merge' },
  deleteCompany: { same: 'DELETE /api/companies/{id}' },
  viewUsers: { same: 'GET /api/users' },
  createUser: { same: 'POST /api/users' },
  editUser: { same: 'PUT /api/users/{id}' },
  deleteUser: { same: 'DELETE /api/users/{other}' },
  managePermissions: { same: 'PUT /api/user-permissions/{userId}' },
  viewSettings: { same: 'GET /api/system-settings (full)' },
  viewMediaSettings: { within: 'GET /api/media-settings' },
  editSettings: { same: 'PATCH /api/system-settings' },
  // A screen of the specification for administrators; its calls admit supervisors.
  openAdvancedSettings: 'no call',
  viewReports: { same: 'GET /api/reports/stats' },
  viewAudit: { same: 'GET /api/audit-logs' },
  manageCategories: { same: 'GET /api/contact-categories/managed' },
  manageGateway: { same: 'GET /api/evolution-config' },
  manageAssistant: { same: 'GET /api/gpt-maker-config' },
  accessMaintenance: { same: 'GET /api/maintenance/stats' },
}

const rowOf = (id: string) => {
  const row = table.endpoints.find((one) => one.id === id)
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const groupsOf = (required: Requirement) => required.map((group) => [group].flat())
const sorted = (groups: readonly (readonly string[])[]) =>
  groups.map((group) => group.toSorted().join(' ')).toSorted()

const callsWith = (kind: 'same' | 'within') =>
  acts.flatMap((act) => {
    const call = calls[act]
    return call !== 'no call' && kind in call ? [{ act, id: Object.values(call)[0] ?? '' }] : []
  })
const rolesOf = (act: Act) => ruleOf(act).roles ?? roles

test.each(callsWith('same'))('the rule of $act is that of its call', ({ act, id }) => {
  const row = rowOf(id)
  expect(sorted(groupsOf(ruleOf(act).requires))).toEqual(sorted(row.flags))
  expect(rolesOf(act).toSorted()).toEqual(row.ceiling.toSorted())
})

test.each(callsWith('within'))('the rule of $act admits nobody whom its call refuses', ({ act, id }) => {
  const row = rowOf(id)
  const isMet = (group: readonly string[]) =>
    groupsOf(ruleOf(act).requires).some((own) => own.every((flag) => group.includes(flag)))
  expect(row.flags.filter((group) => !isMet(group))).toEqual([])
  expect(rolesOf(act).filter((role) => !row.ceiling.includes(role))).toEqual([])
})

const all = Object.fromEntries(flags.map((flag) => [flag, true])) as Flags
const none = Object.fromEntries(flags.map((flag) => [flag, false])) as Flags

test('an administrator may do everything', () => {
  expect(acts.filter((act) => !may({ role: 'admin', permissions: all }, act))).toEqual([])
})

test('what somebody may not has a reason, and what he may has none', () => {
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

test('every act and every screen has its place', () => {
  const placed = new Set<Act>(actGroups.flatMap((group) => group.acts.map(({ act }) => act)))
  // They open a screen, and are told with it.
  const opening: Act[] = ['viewCompanies', 'viewUsers', 'openAdvancedSettings']
  expect(acts.filter((act) => !placed.has(act) && !opening.includes(act))).toEqual([])
  expect(actGroups.flatMap(({ path }) => path ?? [])).toEqual(screenPaths)
})

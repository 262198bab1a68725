import { flagNames, type Role } from './table.ts'

/** Sessions that must give nothing. Those of an account are an administrator's, who may do everything. */
export const badSessions = [
  'none',
  'malformed',
  'expired',
  'foreign key',
  'alg none',
  'logged out',
  'blocked',
  'inactive',
  'deleted',
] as const
export type BadSession = (typeof badSessions)[number]

type Flags = Readonly<Record<string, boolean>>

/** Somebody who makes calls. */
export type Principal = Stranger | Person

export interface Stranger {
  name: string
  bad: BadSession
}

export interface Person {
  name: string
  role: Role
  /** The stored permission record, if there is one. */
  record: Flags | null
}

export const isPerson = (principal: Principal): principal is Person => 'role' in principal

const flagsThat = (isOn: (flag: string) => boolean): Flags =>
  Object.fromEntries(flagNames.map((flag) => [flag, isOn(flag)]))

/** The defaults of the columns of a stored record. @see specification §3 user_permissions */
const columnDefaults: Flags = flagsThat((flag) =>
  [
    'canViewDashboard',
    'canViewStatistics',
    'canViewConversations',
    'canCreateConversations',
    'canEditConversations',
    'canFinalizeConversations',
    'canTransferConversations',
    'canViewArchivedConversations',
    'canViewTrackingMessages',
    'canViewContacts',
    'canCreateContacts',
    'canEditContacts',
    'canViewCompanies',
    'canUploadMedia',
    'canDownloadMedia',
  ].includes(flag),
)

function peopleOf(role: 'supervisor' | 'operator'): Person[] {
  const person = (what: string, record: Flags | null): Person => ({ name: `${role}, ${what}`, role, record })
  return [
    person('role defaults', null),
    person('column defaults', columnDefaults),
    person(
      'all on',
      flagsThat(() => true),
    ),
    person(
      'all off',
      flagsThat(() => false),
    ),
    ...flagNames.map((one) =>
      person(
        `only ${one}`,
        flagsThat((flag) => flag === one),
      ),
    ),
    ...flagNames.map((one) =>
      person(
        `all but ${one}`,
        flagsThat((flag) => flag !== one),
      ),
    ),
  ]
}

/** The principals of the matrix: 155 with the given flags alone. @see decisions §2 'who may do what' */
export const principals: readonly Principal[] = [
  ...badSessions.map((bad) => ({ name: `session: ${bad}`, bad })),
  { name: 'admin', role: 'admin', record: null },
  { name: 'admin, all-off record', role: 'admin', record: flagsThat(() => false) },
  ...peopleOf('supervisor'),
  ...peopleOf('operator'),
]

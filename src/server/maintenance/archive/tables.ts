import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isOver } from '#server/conversations/conversations.ts'
import { schema } from '#server/schema/schema.ts'

type TableName = keyof typeof schema

/** What a restore can bring back without the other. */
export type Part = 'settings' | 'complete'

interface Backed {
  part: Part
  /** Which rows, of the table as 't'; absent: all. */
  where?: SQL
  /** Columns that are left out, separated by blanks: secrets of people, and what is of this moment only. */
  without?: string
}

type Rule =
  | Backed
  /** Not in the backup, and why. */
  | { left: string }

const ofCompleted = (conversationId: SQL) =>
  sql`exists (select from conversations v where v.id = ${conversationId} and ${isOver})`
const ofCompletedMessage = sql`exists (
  select from messages m join conversations v on v.id = m.conversation_id
   where m.id = t.message_id and ${isOver})`

const computed = 'computed from the others'
const momentary = 'of what is under way'
const security = 'the security of accounts is no matter of a file'

/**
 * Every table of the product, and what a backup has of it. A test fails for one that is not named here.
 * @see decisions, 'Backups'
 */
export const backedTables: { readonly [Table in TableName]: Rule } = {
  installation: { left: 'another installation is another one' },
  users: {
    part: 'complete',
    without:
      'passwordHash isActive isBlocked mustChangePassword totpSecretEncrypted totpConfirmedAt totpLastStep ' +
      'isAway failedLoginAttempts lastLoginAttemptAt loginLockedAt lockedUntil lockCount',
  },
  userPermissions: { left: security },
  sessions: { left: security },
  recoveryCodes: { left: security },
  trustedDevices: { left: security },
  secondFactorDuties: { left: security },
  rateLimits: { left: momentary },
  systemSettings: { part: 'settings' },

  auditLogs: { left: 'a restore keeps the log, and is written into it' },
  auditPersonal: { left: 'of the log' },
  auditHead: { left: 'of the log' },
  auditChecks: { left: 'of the log' },

  companies: { part: 'complete' },
  companyDistinctions: { part: 'complete' },
  contactCategories: { part: 'settings' },
  contacts: { part: 'complete' },
  contactIdentities: { part: 'complete' },
  contactMerges: { left: 'can be undone for a day only' },
  contactDistinctions: { part: 'complete' },
  contactImports: { left: 'can be undone for a day only' },
  contactImportRows: { left: 'can be undone for a day only' },

  evolutionApiConfig: {
    part: 'settings',
    without:
      'status lastConnectedAt webhookSecretBeforeEncrypted webhookSecretPendingEncrypted webhookSetAt ' +
      'nextSendAt nextAutomaticAt failures breakerUntil troubledAt sweptUntil sweepLeaseUntil lookedBackAt ' +
      'silentSince restartedAt isRestartFailed ' +
      'linkingAt codeEncrypted codeAt codeCount closedReason closedAt',
  },
  firstSteps: { left: 'says what this installation has still to do' },
  webhookRefusals: { left: momentary },
  webhookInbox: { left: 'what came is in the messages' },

  files: {
    part: 'complete',
    where: sql`not t.is_passing and not t.is_erased
      and (t.contact_id is not null or t.user_id is not null or t.is_quick_response
           or ${ofCompletedMessage})`,
    without: 'isPassing isErased',
  },
  mediaFetches: { left: momentary },

  conversations: { part: 'complete', where: ofCompleted(sql`t.id`) },
  messages: { part: 'complete', where: ofCompleted(sql`t.conversation_id`) },
  messageVersions: { part: 'complete', where: ofCompletedMessage },
  messageReactions: { part: 'complete', where: ofCompletedMessage },
  messageVotes: { part: 'complete', where: ofCompletedMessage },
  conversationRatings: { part: 'complete', where: ofCompleted(sql`t.conversation_id`) },
  forgottenMessages: { part: 'complete', where: sql`t.whatsapp_message_id is not null` },
  conversationReads: { left: 'positions in what is archived are of no use' },
  conversationDrafts: { left: momentary },
  conversationSearch: { left: computed },
  searchDue: { left: computed },
  pendingUpdates: { left: momentary },
  undoneSends: { left: momentary },
  preAttendanceTemp: { left: momentary },
  queuePendingConversations: { left: momentary },
  outbox: { left: momentary },

  gptMakerConfig: { left: 'where texts of clients go, and with which keys, is decided here' },
  assistantTurns: { left: momentary },

  jobs: { left: momentary },
  jobRuns: { left: momentary },
  events: { left: momentary },
  presence: { left: momentary },
  notices: { left: momentary },
  noticeDismissals: { left: momentary },

  conversationFacts: { left: computed },
  factsDue: { left: computed },
  savedReports: { part: 'complete' },

  privacyRequests: { part: 'complete' },
  maintenanceBackups: { left: 'of the files of this installation' },
  maintenanceRuns: { left: momentary },
  restoredFiles: { left: momentary },
  maintenancePlans: { left: 'when this installation makes its backups' },
}

/** A table of the backup. */
export interface BackedTable {
  /** In the database. */
  name: string
  part: Part
  where: SQL | undefined
  /** The names of its columns in the database, in the order of the schema. */
  columns: string[]
}

/** The tables of a backup, each after those that it refers to; only a conversation names a later message. */
export const backedList: readonly BackedTable[] = orderOf().map((key) => {
  const rule = backedTables[key]
  if ('left' in rule) throw new Error(`${key} is not in the backup`)
  const columns = getTableColumns(schema[key]) as Record<string, PgColumn>
  const without = new Set(rule.without?.split(' ') ?? [])
  for (const column of without) if (!columns[column]) throw new Error(`${key} has no column ${column}`)
  return {
    name: getTableName(schema[key]),
    part: rule.part,
    where: rule.where,
    columns: Object.entries(columns)
      .filter(([column, { generated }]) => !without.has(column) && generated === undefined)
      .map(([, { name }]) => name),
  }
})

function orderOf(): TableName[] {
  const first: TableName[] = [
    'systemSettings',
    'contactCategories',
    'evolutionApiConfig',
    'users',
    'companies',
    'contacts',
    'conversations',
    'messages',
  ]
  const others = (Object.keys(backedTables) as TableName[]).filter(
    (key) => !first.includes(key) && !('left' in backedTables[key]),
  )
  return [...first, ...others]
}

/** The rows of a table that a backup has, of the table as 't'. */
export function backedRows({ name, columns, where }: BackedTable): SQL {
  const listed = sql.join(
    columns.map((column) => sql`t.${sql.identifier(column)}`),
    sql`, `,
  )
  return sql`select ${listed} from ${sql.identifier(name)} t ${where ? sql`where ${where}` : sql``}`
}

import { getTableName, type SQL, sql } from 'drizzle-orm'
import { isOver } from '#server/conversations/conversations.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { schema } from '#server/schema/schema.ts'

type TableName = keyof typeof schema

/** Rows that go by themselves when their time is over, of the table as 't'. */
export interface Trimmed {
  /** The job that deletes them. */
  by: string
  /** An interval, from `since` on. */
  after: string
  since: SQL
  /** Which rows; absent: all. */
  where?: SQL
  /** How many old rows remain; absent: none. */
  besides?: number
}

/** What a table has rows for, and what ends them. Part of a table that is kept may be trimmed. */
export type Growth =
  /** Grows with the business. What may end its rows. */
  | { kept: string; trimmed?: Trimmed }
  /** Does not grow. By what. */
  | { bounded: string }
  | { trimmed: Trimmed }

const since = (column: string) => sql.raw(`t.${column}`)
const month = '30 days'
const sinceOver = sql`(select v.completed_at from conversations v
  where v.id = t.conversation_id and ${isOver})`

const single = 'a single row'
const byPeople = 'a person deletes it'
const withConversation = 'with its conversation, which a person or a cleanup deletes'
const ofMessages = `${withConversation}; the periods of the plan empty it`
const drained = 'by what its worker has not come to'

/**
 * Every table of the product: whether it grows, and what ends that. A test fails for one that is not named
 * here, and for rows that are not trimmed as said; `npm run proof -- month` watches all of them for a month.
 */
export const growth: { readonly [Table in TableName]: Growth } = {
  installation: { bounded: single },
  systemSettings: { bounded: single },
  evolutionApiConfig: { bounded: 'by the connected numbers' },

  users: { kept: 'an account that was deleted keeps its name, for what the person did' },
  userPermissions: { bounded: 'by the accounts' },
  sessions: {
    trimmed: {
      by: 'trim-rate-limits',
      after: month,
      since: sql`coalesce(t.ended_at,
        least(t.last_seen_at + interval '12 hours', t.created_at + interval '7 days'))`,
    },
  },
  recoveryCodes: { bounded: 'by ten for an account' },
  trustedDevices: { trimmed: { by: 'trim-rate-limits', after: month, since: since('created_at') } },
  secondFactorDuties: { bounded: 'by the roles' },
  rateLimits: { trimmed: { by: 'trim-rate-limits', after: '0', since: since('window_ends_at') } },

  auditLogs: { kept: 'nothing: a chain' },
  auditPersonal: { kept: 'nothing; the period of the plan empties it' },
  auditHead: { bounded: single },
  auditChecks: { bounded: single },

  companies: { kept: byPeople },
  companyDistinctions: { kept: 'with its companies' },
  contactCategories: { kept: byPeople },
  contacts: { kept: 'nothing; an anonymized one has no value of a person' },
  contactIdentities: { kept: 'with its contact, when that is anonymized' },
  contactMerges: { trimmed: { by: 'trim-merges', after: '1 day', since: since('merged_at') } },
  contactDistinctions: { kept: 'with its contacts' },
  contactImports: {
    trimmed: {
      by: 'trim-contact-imports',
      after: month,
      since: since('created_at'),
      where: sql`t.state not in ('running', 'undoing')`,
    },
  },
  contactImportRows: {
    trimmed: {
      by: 'trim-contact-imports',
      after: month,
      since: sql`(select i.created_at from contact_imports i
                   where i.id = t.import_id and i.state not in ('running', 'undoing'))`,
    },
  },

  webhookInbox: {
    trimmed: {
      by: 'trim-inbox',
      after: month,
      since: sql`t.received_at + interval '60 days' * (t.processed_at is null)::int`,
      where: sql`(t.processed_at is not null or t.dead_reason is not null or t.instance_id is null)
                 and not exists (select from maintenance_plans p where p.plan ->> 'inboxDays' is not null)`,
    },
  },
  firstSteps: { bounded: single },
  webhookRefusals: { bounded: single },

  conversations: { kept: 'a person or a cleanup deletes it, once it is completed' },
  messages: { kept: ofMessages },
  messageVersions: { kept: ofMessages },
  messageReactions: { kept: withConversation },
  messageVotes: { kept: withConversation },
  conversationRatings: { kept: withConversation },
  conversationFacts: { kept: withConversation },
  conversationSearch: { kept: ofMessages },
  conversationReads: {
    trimmed: {
      by: 'trim-over',
      after: month,
      // A reading of a conversation that was over long before.
      since: sql`greatest(t.updated_at, ${sinceOver})`,
      where: sql`${sinceOver} is not null`,
    },
  },
  conversationDrafts: {
    trimmed: {
      by: 'trim-over',
      after: month,
      since: sql`greatest(t.updated_at, ${sinceOver})`,
      where: sql`${sinceOver} is not null`,
    },
  },
  queuePendingConversations: { trimmed: { by: 'trim-over', after: month, since: sinceOver } },
  outbox: {
    kept: 'with its message, of one that the gateway sent twice',
    trimmed: {
      by: 'trim-over',
      after: month,
      since: sinceOver,
      where: sql`t.state in ('sent', 'failed', 'cancelled') and not exists (
        select from messages m where m.id = t.message_id and m.metadata ? 'duplicateIds')`,
    },
  },
  gptMakerConfig: { bounded: single },
  assistantTurns: { trimmed: { by: 'trim-over', after: month, since: sinceOver } },
  searchDue: { bounded: drained },
  factsDue: { bounded: drained },
  pendingUpdates: { trimmed: { by: 'trim-forgotten', after: month, since: since('created_at') } },
  forgottenMessages: {
    // A phone that is connected anew brings messages of years.
    kept: 'nothing: the gateway may report a deleted message at any time',
    trimmed: {
      by: 'trim-forgotten',
      after: '1 hour',
      since: since('forgotten_at'),
      where: sql`t.whatsapp_message_id is null`,
    },
  },
  undoneSends: { trimmed: { by: 'trim-forgotten', after: month, since: since('undone_at') } },
  preAttendanceTemp: {
    trimmed: {
      by: 'undecided-choices',
      after: month,
      since: since('created_at'),
      where: sql`t.stage = 'cancelled'`,
    },
  },

  files: {
    kept: 'with its message, contact, person or quick response; a period of the plan ends those of messages',
    trimmed: {
      by: 'sweep-files',
      after: '1 day',
      since: since('created_at'),
      where: sql`t.is_passing or (t.message_id is null and t.contact_id is null and t.user_id is null
                 and not t.is_quick_response)`,
    },
  },
  mediaFetches: { bounded: drained },

  jobs: { bounded: 'by the tasks of the program' },
  jobRuns: { bounded: 'by fifty of each job, besides those under way' },
  events: { trimmed: { by: 'trim-events', after: '1 day', since: since('created_at'), besides: 1 } },
  presence: { bounded: 'by the open sockets' },
  notices: { trimmed: { by: 'trim-notices', after: month, since: since('ended_at') } },
  noticeDismissals: {
    trimmed: {
      by: 'trim-notices',
      after: month,
      since: sql`(select n.ended_at from notices n where n.id = t.notice_id)`,
    },
  },

  savedReports: { kept: byPeople },
  privacyRequests: { kept: 'nothing: nobody who was anonymized may come back' },
  maintenanceBackups: {
    kept: 'the schedule keeps as many of its own as the plan says, a person deletes the others',
    trimmed: {
      by: 'trim-backups',
      after: month,
      since: since('created_at'),
      where: sql`t.status = 'failed'`,
    },
  },
  maintenanceRuns: { bounded: 'by the runs of its job' },
  maintenancePlans: { bounded: single },
  restoredFiles: { bounded: 'by the files of one restore' },
}

/** The tables of the job queue, in its own schema. */
export const queueGrowth: Readonly<Record<string, string>> = {
  job: 'has no rows of its own',
  job_common: 'by those under way; the queue deletes others after a day',
  job_dependency: 'no job depends on another',
  queue: 'by the jobs of the program',
  queue_stats: 'not written',
  schedule: 'by the jobs of the program',
  subscription: 'not written',
  version: single,
  bam: 'by the versions of the queue',
  warning: 'not written',
}

/**
 * How many rows of a table are still there although their time is over.
 * @param slack an interval that its job may take
 */
export async function countOverdue(db: Db, table: TableName, slack: string): Promise<number> {
  const rule = growth[table]
  const trimmed = 'trimmed' in rule ? rule.trimmed : undefined
  if (!trimmed) return 0
  const { after, where = sql`true`, besides = 0 } = trimmed
  const [row] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from ${sql.identifier(getTableName(schema[table]))} t
         where (${where}) and ${trimmed.since} + ${after}::interval + ${slack}::interval <= app_now()`,
  )
  return Math.max(0, (row?.count ?? 0) - besides)
}

import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey } from 'drizzle-orm/pg-core'
import { appNow, at, rowId } from '#server/schema/columns.ts'
import { since } from '#server/schema/declare/ends.ts'
import { gone, ofContact } from '#server/schema/declare/person.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { contacts } from './contacts.ts'

/** What a contact says about itself, as it was before a merge or after it. */
export interface ContactFacts {
  name: string
  phone: string | null
  email: string | null
  tags: string[]
  category: string
  notes: string | null
  companyId: number | null
  /** Absent in merges from before there were sectors. */
  sectorId?: number | null
  isBlocked: boolean
  hasGatewayName: boolean
  /** ISO 8601. */
  gatewayNamedAt: string | null
}

/** What is needed to undo a merge. */
export interface MergeUndo {
  kept: ContactFacts
  keptAfter: ContactFacts
  merged: ContactFacts
  /** The identities and conversations that were the merged contact's. */
  identityIds: number[]
  conversationIds: number[]
  /** The open conversations of both, the messages of one of which moved into the other. */
  joined: {
    fromId: number
    toId: number
    messageIds: number[]
    /** What was scheduled in the other; absent in merges from before anything could be. */
    scheduledIds?: number[]
    /** Its holds, and those of either that the merge has ended; absent in merges from before. */
    snoozeIds?: number[]
    heldIds?: number[]
    from: JoinedState
    to: JoinedState
    /** Of `to`, after the merge. */
    toAfter: JoinedState
  }[]
}

export interface JoinedState {
  assignedUserId: number | null
  status: 'waiting' | 'active' | 'completed'
  subStatus: 'FILA' | 'OPERADOR'
  notes: string | null
  disableAutoClose: boolean
  /** Absent: merged before there were tags of conversations. */
  tagIds?: number[]
  /** ISO 8601. */
  startedAt: string
}

/** Merges by hand, which can be undone for a day. */
export const contactMerges = table(
  'contact_merges',
  {
    id: rowId(),
    keptId: integer('kept_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    mergedId: integer('merged_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    mergedBy: integer('merged_by')
      .notNull()
      .references(() => users.id),
    mergedAt: at('merged_at').notNull().default(appNow),
    undoneAt: at('undone_at'),
    undo: jsonb('undo').$type<MergeUndo>().notNull(),
  },
  {
    backup: { left: 'can be undone for a day only' },
    ends: { trimmed: { by: 'trim-merges', after: '1 day', since: since('merged_at') } },
    personal: {
      of: (person) => sql`(${ofContact('kept_id')(person)} or ${ofContact('merged_id')(person)})`,
      isDeleted: true,
      columns: { undo: gone },
    },
    other: 'id keptId mergedId mergedBy mergedAt undoneAt',
  },
  (t) => [index('contact_merges_merged_at').on(t.mergedAt)],
)

/** Contacts that an administrator has declared to be two persons: they are neither suggested nor merged. */
export const contactDistinctions = table(
  'contact_distinctions',
  {
    /** The smaller id. */
    firstId: integer('first_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    secondId: integer('second_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    declaredBy: integer('declared_by')
      .notNull()
      .references(() => users.id),
    declaredAt: at('declared_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Contatos que não são o mesmo',
      restored: { pairsOf: 'contacts' },
    },
    ends: { kept: 'with its contacts' },
    other: 'firstId secondId declaredBy declaredAt',
  },
  (t) => [
    primaryKey({ columns: [t.firstId, t.secondId] }),
    index('contact_distinctions_second').on(t.secondId),
    check('contact_distinctions_order', sql`${t.firstId} < ${t.secondId}`),
  ],
)

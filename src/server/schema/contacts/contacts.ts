import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { appNow, at, folded, oneOf, rowId } from '#server/schema/columns.ts'
import { users } from '#server/schema/users.ts'

export const companies = pgTable('companies', {
  id: rowId(),
  name: text('name').notNull(),
  phone: text('phone'),
  responsibleName: text('responsible_name'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: at('created_at').notNull().default(appNow),
  updatedAt: at('updated_at').notNull().default(appNow),
})

/** Companies that somebody has declared to be different: they are not suggested as one. */
export const companyDistinctions = pgTable(
  'company_distinctions',
  {
    /** The smaller id. */
    firstId: integer('first_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    secondId: integer('second_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    declaredBy: integer('declared_by')
      .notNull()
      .references(() => users.id),
    declaredAt: at('declared_at').notNull().default(appNow),
  },
  (t) => [
    primaryKey({ columns: [t.firstId, t.secondId] }),
    index('company_distinctions_second').on(t.secondId),
    check('company_distinctions_order', sql`${t.firstId} < ${t.secondId}`),
  ],
)

export const contactCategories = pgTable(
  'contact_categories',
  {
    id: rowId(),
    name: text('name').notNull(),
    description: text('description'),
    priority: integer('priority').notNull().default(1),
    color: text('color').notNull().default('#6b7280'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  (t) => [
    uniqueIndex('contact_categories_name').on(sql`lower(${t.name})`),
    check('contact_categories_priority', sql`${t.priority} between 1 and 10`),
    check('contact_categories_color', sql`${t.color} ~* '^#[0-9a-f]{6}$'`),
  ],
)

export const contacts = pgTable(
  'contacts',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** The name as it is searched and sorted. */
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(contacts.name)),
    /** The normal form of shared/text/phone.ts; null for a contact known by LID only. */
    phone: text('phone'),
    email: text('email'),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The tags as they are searched, in the same order. */
    tagsFolded: text('tags_folded')
      .array()
      .notNull()
      .generatedAlwaysAs((): SQL => sql`folded_tags(${contacts.tags})`),
    /** The name of a category; 'general' is shown as 'Geral'. */
    category: text('category').notNull().default('general'),
    notes: text('notes'),
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'set null' }),
    isActive: boolean('is_active').notNull().default(true),
    isBlocked: boolean('is_blocked').notNull().default(false),
    avatarUrl: text('avatar_url'),
    avatarUpdatedAt: at('avatar_updated_at'),
    /** Whether the name comes from the gateway; a name that a person typed is never overwritten. */
    hasGatewayName: boolean('has_gateway_name').notNull().default(false),
    /** Time of the message that brought the name: an older message does not replace it. */
    gatewayNamedAt: at('gateway_named_at'),
    deletedAt: at('deleted_at'),
    /** Anonymized: nobody writes from it, nobody writes to it, and nothing of it changes any more. */
    erasedAt: at('erased_at'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  (t) => [
    uniqueIndex('contacts_phone_living')
      .on(t.phone)
      .where(sql`${t.deletedAt} is null`),
    index('contacts_company').on(t.companyId),
    index('contacts_name_folded').using('gin', t.nameFolded.op('gin_trgm_ops')),
    index('contacts_phone_searched').using('gin', t.phone.op('gin_trgm_ops')),
    index('contacts_email_searched').using('gin', t.email.op('gin_trgm_ops')),
    index('contacts_tags').using('gin', t.tagsFolded),
    index('contacts_by_name')
      .on(t.nameFolded, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('contacts_by_category')
      .on(sql`lower(${t.category})`, t.nameFolded, t.id)
      .where(sql`${t.deletedAt} is null`),
    check('contacts_phone_digits', sql`${t.phone} ~ '^[0-9]{8,15}$'`),
  ],
)

export const identityKinds = ['phone', 'lid'] as const

/** The same person may write from a phone number and from a LID; both lead to one contact. */
export const contactIdentities = pgTable(
  'contact_identities',
  {
    id: rowId(),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: identityKinds }).notNull(),
    /** Phone: the normal form; LID: its digits. */
    value: text('value').notNull(),
    /** The address as the gateway last gave it, or the digits of a phone; messages are sent to it. */
    jid: text('jid').notNull(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [
    unique('contact_identities_value').on(t.kind, t.value),
    index('contact_identities_contact').on(t.contactId),
    check('contact_identities_kind', oneOf(t.kind, identityKinds)),
  ],
)

/** What a contact says about itself, as it was before a merge or after it. */
export interface ContactFacts {
  name: string
  phone: string | null
  email: string | null
  tags: string[]
  category: string
  notes: string | null
  companyId: number | null
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
  /** ISO 8601. */
  startedAt: string
}

/** Merges by hand, which can be undone for a day. */
export const contactMerges = pgTable(
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
  (t) => [index('contact_merges_merged_at').on(t.mergedAt)],
)

/** Contacts that an administrator has declared to be two persons: they are neither suggested nor merged. */
export const contactDistinctions = pgTable(
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
  (t) => [
    primaryKey({ columns: [t.firstId, t.secondId] }),
    index('contact_distinctions_second').on(t.secondId),
    check('contact_distinctions_order', sql`${t.firstId} < ${t.secondId}`),
  ],
)

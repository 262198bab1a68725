import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { appNow, at, folded, oneOf, rowId } from './columns.ts'

export const companies = pgTable('companies', {
  id: rowId(),
  name: text('name').notNull(),
  phone: text('phone'),
  responsibleName: text('responsible_name'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: at('created_at').notNull().default(appNow),
  updatedAt: at('updated_at').notNull().default(appNow),
})

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

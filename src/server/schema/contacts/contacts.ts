import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { erasedName } from '#shared/erased.ts'
import { appNow, at, folded, oneOf, rowId } from '#server/schema/columns.ts'
import { byPeople } from '#server/schema/declare/ends.ts'
import { gone, ofContact } from '#server/schema/declare/person.ts'
import { resourceId } from '#server/schema/declare/resource.ts'
import { always, isNewIn, matchedBy } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'

export const companies = table(
  'companies',
  {
    id: rowId(),
    name: text('name').notNull(),
    phone: text('phone'),
    responsibleName: text('responsible_name'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Empresas',
      restored: {
        match: sql`lower(t.name) = lower(s.name)`,
        // One that was deleted may have been entered anew.
        matchOwn: sql`(t.id = s.id or (lower(t.name) = lower(s.name)
          and not exists (select from public.companies o where o.id = s.id)))`,
        isAdded: always,
      },
    },
    resource: { type: 'company', name: sql`select c.name from companies c where c.id = ${resourceId}` },
    ends: byPeople,
    // A company is no contact's; the link to it is the contact's.
    other: 'id name phone responsibleName isActive createdAt updatedAt',
  },
)

/** Companies that somebody has declared to be different: they are not suggested as one. */
export const companyDistinctions = table(
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
  {
    backup: { part: 'complete', label: 'Empresas que não são a mesma', restored: { pairsOf: 'companies' } },
    ends: { kept: 'with its companies' },
    other: 'firstId secondId declaredBy declaredAt',
  },
  (t) => [
    primaryKey({ columns: [t.firstId, t.secondId] }),
    index('company_distinctions_second').on(t.secondId),
    check('company_distinctions_order', sql`${t.firstId} < ${t.secondId}`),
  ],
)

export const contactCategories = table(
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
  {
    backup: {
      part: 'settings',
      label: 'Categorias',
      restored: { ...matchedBy(sql`lower(t.name) = lower(s.name)`), isAdded: always },
    },
    ends: byPeople,
    other: 'id name description priority color isActive createdAt updatedAt',
  },
  (t) => [
    uniqueIndex('contact_categories_name').on(sql`lower(${t.name})`),
    check('contact_categories_priority', sql`${t.priority} between 1 and 10`),
    check('contact_categories_color', sql`${t.color} ~* '^#[0-9a-f]{6}$'`),
  ],
)

export const contacts = table(
  'contacts',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** The name as it is searched and sorted. */
    nameFolded: text('name_folded')
      .notNull()
      .generatedAlwaysAs((): SQL => folded(contacts.name)),
    /** The normal form of shared/text/phones; null for a contact known by LID only. */
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
    /** The sector of their new conversations, unless the client chooses one from the menu; null: none. */
    sectorId: integer('sector_id').references(() => sectors.id),
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
  {
    backup: {
      part: 'complete',
      label: 'Contatos',
      restored: {
        match: sql`t.id = (select c.id from same_contacts c where c.source = s.id)`,
        matchOwn: sql`t.id = coalesce((select c.id from same_contacts c where c.source = s.id), s.id)`,
        isAdded: sql`not exists (select from erased_contacts e where e.source = s.id)`,
      },
    },
    resource: {
      type: 'contact',
      name: sql`select coalesce(k.name, k.phone) from contacts k where k.id = ${resourceId}`,
    },
    ends: { kept: 'nothing; an anonymized one has no value of a person' },
    personal: {
      of: ofContact('id'),
      columns: {
        name: sql`${erasedName}`,
        phone: gone,
        email: gone,
        tags: sql`'{}'`,
        notes: gone,
        companyId: gone,
        avatarUrl: gone,
        avatarUpdatedAt: gone,
        hasGatewayName: sql`false`,
        gatewayNamedAt: gone,
        erasedAt: sql`app_now()`,
        updatedAt: sql`app_now()`,
      },
    },
    // The two folded ones are made of name and tags by the database.
    other: 'id nameFolded tagsFolded category sectorId isActive isBlocked deletedAt createdAt',
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
export const contactIdentities = table(
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
  {
    backup: {
      part: 'complete',
      label: 'Números de contatos',
      restored: {
        ...matchedBy(sql`t.kind = s.kind and t.value = s.value`),
        isAdded: sql`(${isNewIn('contacts', sql`s.contact_id`)}
          or exists (select from returning_contacts r where r.source = s.contact_id))`,
      },
    },
    ends: { kept: 'with its contact, when that is anonymized' },
    personal: { of: ofContact('contact_id'), isDeleted: true, columns: { value: gone, jid: gone } },
    other: 'id contactId kind createdAt',
  },
  (t) => [
    unique('contact_identities_value').on(t.kind, t.value),
    index('contact_identities_contact').on(t.contactId),
    check('contact_identities_kind', oneOf(t.kind, identityKinds)),
  ],
)

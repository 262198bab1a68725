import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text } from 'drizzle-orm/pg-core'
import { type PrivacyProof, privacyRequestKinds } from '#shared/maintenance/privacy.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { isMapped } from './declare/restored.ts'
import { table } from './declare/table.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { users } from './users.ts'

/**
 * What persons have asked for by the LGPD, art. 18: without a value of theirs. Kept forever, so that a
 * restore or an import does not bring back who was anonymized.
 * @see security §5.2
 */
export const privacyRequests = table(
  'privacy_requests',
  {
    id: rowId(),
    kind: text('kind', { enum: privacyRequestKinds }).notNull(),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** Who carried it out. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** How many rows of each table, and files, it gave out or erased. */
    proof: jsonb('proof').$type<PrivacyProof>().notNull(),
    /** Of who was anonymized: each phone number and LID as `Secrets.fingerprint` of its kind and value. */
    fingerprints: text('fingerprints')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** What we had begun to send to the person may be reported until then, and is not stored again. */
    echoesUntil: at('echoes_until'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Pedidos de titulares',
      restored: {
        match: sql`t.created_at = s.created_at and t.kind = s.kind`,
        isAdded: sql`${isMapped('contacts', sql`s.contact_id`)} and ${isMapped('users', sql`s.user_id`)}`,
      },
    },
    ends: { kept: 'nothing: nobody who was anonymized may come back' },
    // Keyed hashes, and counts.
    other: 'id kind contactId userId proof fingerprints echoesUntil createdAt',
  },
  (t) => [
    index('privacy_requests_created').on(t.createdAt, t.id),
    index('privacy_requests_contact').on(t.contactId),
    index('privacy_requests_fingerprints').using('gin', t.fingerprints),
    check('privacy_requests_kind', oneOf(t.kind, privacyRequestKinds)),
  ],
)

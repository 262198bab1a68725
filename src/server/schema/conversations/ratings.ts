import { sql } from 'drizzle-orm'
import { check, index, integer, text } from 'drizzle-orm/pg-core'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { appNow, at, rowId } from '#server/schema/columns.ts'
import { withConversation } from '#server/schema/declare/ends.ts'
import { gone, ofContact } from '#server/schema/declare/person.ts'
import { isMapped, isNewIn, mapped } from '#server/schema/declare/restored.ts'
import { table } from '#server/schema/declare/table.ts'
import { users } from '#server/schema/users.ts'
import { conversations } from './conversations.ts'
import { ofCompleted } from './over.ts'

/** A client's rating of a completed conversation, from 1 to 5. */
export const conversationRatings = table(
  'conversation_ratings',
  {
    id: rowId(),
    conversationId: integer('conversation_id')
      .notNull()
      .unique()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
    operatorId: integer('operator_id').references(() => users.id),
    serviceRating: integer('service_rating').notNull(),
    operatorRating: integer('operator_rating').notNull(),
    feedback: text('feedback'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      where: ofCompleted(sql`t.conversation_id`),
      label: 'Avaliações',
      restored: {
        match: sql`t.conversation_id = ${mapped('conversations', sql`s.conversation_id`)}`,
        isAdded: sql`${isNewIn('conversations', sql`s.conversation_id`)}
          and ${isMapped('contacts', sql`s.contact_id`)}`,
      },
    },
    ends: withConversation,
    personal: { of: ofContact('contact_id'), columns: { feedback: gone } },
    other: 'id conversationId contactId operatorId serviceRating operatorRating createdAt',
  },
  (t) => [
    index('conversation_ratings_contact').on(t.contactId),
    check('conversation_ratings_service', sql`${t.serviceRating} between 1 and 5`),
    check('conversation_ratings_operator', sql`${t.operatorRating} between 1 and 5`),
  ],
)

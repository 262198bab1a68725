import { type SQL, sql } from 'drizzle-orm'
import { idInDetails, type Resource, resourceId } from '#server/schema/declare/resource.ts'

/** In the audit log a conversation is called by its contact, also when it is gone. */
const contactOf = (conversation: SQL) => sql`
  select coalesce(k.name, k.phone) from contacts k
   where k.id = coalesce((select v.contact_id from conversations v where v.id = ${conversation}),
                         ${idInDetails('contactId')})`

export const conversationResource: Resource = { type: 'conversation', name: contactOf(resourceId) }
export const messageResource: Resource = { type: 'message', name: contactOf(idInDetails('conversationId')) }

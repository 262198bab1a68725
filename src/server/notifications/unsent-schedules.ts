import { eq } from 'drizzle-orm'
import type { Tx } from '#server/platform/database/db.ts'
import { mayRead } from '#server/platform/http/reach.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { notifications } from '#server/schema/notifications/notifications.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { listPeople } from '#server/users/users.ts'

/**
 * A scheduled message was not sent when it was due. Told is its author; where they may not sign in or know of
 * the conversation any more, whoever leads its sector, and where nobody does, administrators.
 */
export async function tellUnsent(
  db: Tx,
  { conversationId, authorId }: { conversationId: number; authorId: number },
): Promise<void> {
  const [facts] = await db
    .select(reachFactColumns)
    .from(conversations)
    .where(eq(conversations.id, conversationId))
  if (!facts) return
  const people = (await listPeople(db)).filter((person) => mayRead(person, facts))
  const isLead = ({ sectors }: (typeof people)[number]) =>
    sectors.some((one) => one.isLead && one.id === facts.sectorId)
  const [told = []] = [
    people.filter(({ id }) => id === authorId),
    people.filter(isLead),
    people.filter(({ role }) => role === 'admin'),
  ].filter(({ length }) => length > 0)
  if (told.length === 0) return
  await db
    .insert(notifications)
    .values(told.map(({ id: userId }) => ({ userId, kind: 'unsent_schedule' as const, conversationId })))
  for (const { id: userId } of told) db.emit({ type: 'notifications_changed', userId })
}

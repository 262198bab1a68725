import type { SourceFault } from '../support/plant-source.ts'

/** Faults that are planted to see that the proof finds them. */
export const plants: Readonly<Record<string, SourceFault>> = {
  /** A note is a message like others. */
  counted: {
    file: 'shared/messages/message-kinds.ts',
    from: "note: { label: 'Nota interna', isCounted: false",
    to: "note: { label: 'Nota interna', isCounted: true",
  },
  /** Where it is judged anew who waits, whatever somebody of the team wrote is an answer. */
  answer: {
    file: 'server/conversations/store/waiting.ts',
    from: 'and sender_id is not null and delivery_status is not null\n       and delivery_status <>',
    to: 'and sender_id is not null\n       and delivery_status is distinct from',
  },
  /** A note is an activity: the clock of the automatic close begins anew. */
  activity: {
    file: 'server/conversations/messages/notes.ts',
    from: "if (conversation.status === 'completed') await touch(db, conversationId)",
    to:
      'await db.update(conversations).set({ lastActivityAt: sql`app_now()` })' +
      '.where(eq(conversations.id, conversationId))',
  },
}

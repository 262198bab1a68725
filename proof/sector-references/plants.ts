import type { SourceFault } from '../support/plant-source.ts'

/** Faults that are planted to see that the proof finds them: each call without its limit. */
export const plants: Readonly<Record<string, SourceFault>> = {
  'notes of a conversation': {
    file: 'server/conversations/reading/newest-notes.ts',
    from: 'await noteReading(database, who, await expectReadable(database, who, conversationId, row))',
    to: 'void row',
  },
  'a page of conversations of a contact': {
    file: 'server/conversations/reading/contact-history.ts',
    from: "and ${isInReach(who, reachColumns('v')) ?? sql`true`})`",
    to: ')`',
  },
  'the message that a reply quotes': {
    file: 'server/conversations/store/access.ts',
    from: '.where(and(eq(messages.id, messageId), eq(messages.conversationId, conversationId)))',
    to: '.where(and(eq(messages.id, messageId), sql`${conversationId}::int > 0`))',
  },
}

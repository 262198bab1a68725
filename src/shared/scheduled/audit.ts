import { heldBy, type Sentences } from '#shared/text/audit/telling.ts'

/**
 * The details of each act: ids, times and what was chosen. Without the text.
 */
export interface Details {
  /** When it is to be sent, as an instant. */
  'conversation.schedule': { scheduledId: number; sendAt: string }
  /** The fields that are others. */
  'conversation.change_scheduled': { scheduledId: number; authorId: number; names: string[]; sendAt: string }
  'conversation.cancel_scheduled': { scheduledId: number; authorId: number }
  'conversation.send_scheduled': { scheduledId: number; authorId: number }
}

/** Of a message that somebody else may have written. */
const written =
  (did: string): Sentences<Details>['conversation.cancel_scheduled'] =>
  (facts) => [
    `${did} uma mensagem agendada na conversa de `,
    facts.about,
    heldBy(facts, facts.details.authorId, 'escrita por'),
  ]

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'conversation.schedule': ({ about }) => ['agendou uma mensagem na conversa de ', about],
  'conversation.change_scheduled': written('mudou'),
  'conversation.cancel_scheduled': written('cancelou'),
  'conversation.send_scheduled': written('enviou'),
}

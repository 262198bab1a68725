import type * as z from 'zod/mini'

// The words in which a room declares, in its `events.ts`, what the server pushes.

/** The columns of the event log that a type of event has: whom it is for, and what it is about. */
export type LogField = 'userId' | 'conversationId' | 'messageId'

/** Columns that a row of the log has, and those that it may have. */
export interface Logged {
  has?: readonly LogField[]
  mayHave?: readonly LogField[]
}

/** An event that is logged in the transaction that causes it, and is replayed when it was missed. */
export const logged = <Data extends z.ZodMiniType, const In extends Logged>(data: Data, log: In) => ({
  data,
  log,
})

/** An event that is pushed once, with best effort, and never replayed. */
export const momentary = <Data extends z.ZodMiniType>(data: Data) => ({ data, log: null })

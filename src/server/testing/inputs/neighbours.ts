import type { Neighbours } from '#server/conversations/store/message-place.ts'

/** Of the first message of a conversation. */
export const noNeighbours: Neighbours = {
  newest: null,
  newestShown: null,
  previous: null,
  previousSentAt: null,
  previousPostedMs: null,
  next: null,
  nextSentAt: null,
  nextPostedMs: null,
}

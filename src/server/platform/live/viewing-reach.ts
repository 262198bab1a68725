import { type ReachFacts, reachOf, type Reader } from '#server/platform/http/reach.ts'
import type { ViewingEvent } from './viewing.ts'

/** What decides who knows of the conversations that exist. */
export type FindFacts = (ids: readonly number[]) => Promise<ReadonlyMap<number, ReachFacts>>

/**
 * For people who do not know of everything: passes on of an event what is about conversations within their
 * reach, as it is now. Events keep their order.
 */
export function createReachFilter(findFacts: FindFacts) {
  let last: Promise<unknown> = Promise.resolve()

  /** @param send gets what each person sees of the event */
  return (
    event: ViewingEvent,
    send: (seenBy: (who: Reader) => ViewingEvent | undefined) => void,
  ): Promise<void> => {
    const about = event.type === 'typing' ? event.data.typing : event.data.conversations
    const ids = [...new Set(about.map(({ conversationId }) => conversationId))]
    const sent = last
      .catch(() => undefined)
      .then(() => (ids.length === 0 ? new Map<number, ReachFacts>() : findFacts(ids)))
      .then((facts) => send((who) => seenOf(event, who, facts)))
    last = sent
    return sent
  }
}

function seenOf(
  event: ViewingEvent,
  who: Reader,
  facts: ReadonlyMap<number, ReachFacts>,
): ViewingEvent | undefined {
  const isWithin = ({ conversationId }: { conversationId: number }) => {
    const found = facts.get(conversationId)
    return found !== undefined && reachOf(who, found) === 'whole'
  }
  if (event.type === 'typing') {
    const typing = event.data.typing.filter(isWithin)
    return typing.length > 0 ? { ...event, data: { typing } } : undefined
  }
  const conversations = event.data.conversations.filter(isWithin)
  const { isWhole } = event.data
  return isWhole || conversations.length > 0 ? { ...event, data: { isWhole, conversations } } : undefined
}

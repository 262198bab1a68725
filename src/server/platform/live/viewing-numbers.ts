import { hasNumber, type Who } from '#server/platform/http/access.ts'
import type { ViewingEvent } from './viewing.ts'

/** A conversation keeps its number, so what was found out is kept; at most of so many. */
const mostKnown = 20_000

/**
 * For people who have some numbers only: passes on of an event what is about conversations of these. Events
 * keep their order.
 */
export function createNumberFilter(numbersOf: (ids: readonly number[]) => Promise<Map<number, number>>) {
  const known = new Map<number, number>()
  let last: Promise<void> = Promise.resolve()

  const learn = async (ids: readonly number[]) => {
    const news = ids.filter((id) => !known.has(id))
    if (news.length === 0) return
    if (known.size > mostKnown) known.clear()
    for (const [id, instanceId] of await numbersOf(ids.filter((one) => !known.has(one))))
      known.set(id, instanceId)
  }
  const isOf = (who: Pick<Who, 'numberIds'>, { conversationId }: { conversationId: number }) => {
    const instanceId = known.get(conversationId)
    return instanceId !== undefined && hasNumber(who, instanceId)
  }
  const seenBy = (event: ViewingEvent, who: Pick<Who, 'numberIds'>): ViewingEvent | undefined => {
    if (event.type === 'typing') {
      const typing = event.data.typing.filter((one) => isOf(who, one))
      return typing.length > 0 ? { ...event, data: { typing } } : undefined
    }
    const conversations = event.data.conversations.filter((one) => isOf(who, one))
    const { isWhole } = event.data
    return isWhole || conversations.length > 0 ? { ...event, data: { isWhole, conversations } } : undefined
  }

  /** @param send gets what each person sees of the event */
  return (
    event: ViewingEvent,
    send: (seenBy: (who: Pick<Who, 'numberIds'>) => ViewingEvent | undefined) => void,
  ): Promise<void> => {
    const about = event.type === 'typing' ? event.data.typing : event.data.conversations
    const ids = about.map(({ conversationId }) => conversationId)
    const sent = last
      .catch(() => undefined)
      .then(() => learn(ids))
      .then(() => send((who) => seenBy(event, who)))
    last = sent.catch(() => undefined)
    return sent
  }
}

import type { Activity, Colleague, LiveEvent, Typed, Viewed } from '#shared/live-events.ts'

/** Somebody who is typing or recording in a chat. It expires unless repeated. */
export interface Typing {
  /** null for the client. */
  by: Colleague | null
  activity: Exclude<Activity, 'paused'>
  untilMs: number
}

/** Who has each chat open, and who is typing in it, by conversation id. Chats with nobody have no entry. */
export interface ChatPresence {
  viewing: ReadonlyMap<number, readonly Colleague[]>
  typing: ReadonlyMap<number, readonly Typing[]>
}

export const noPresence: ChatPresence = { viewing: new Map(), typing: new Map() }

/** Browsers repeat every three seconds that somebody is typing, phones every ten at the latest. */
const holdsMs = { colleague: 6000, client: 10_000 }

/** Applies an event; returns the same object if unchanged. */
export function reducePresence(state: ChatPresence, event: LiveEvent, nowMs: number): ChatPresence {
  switch (event.type) {
    case 'viewing':
      return withViewed(state, event.data.isWhole, event.data.conversations)
    case 'typing':
      return event.data.typing.reduce((before, one) => withTyped(before, one, nowMs), state)
    case 'message_received':
    case 'new_message': {
      // The sender has stopped typing.
      const { conversationId, message } = event.data
      if (message.senderType === 'contact') return without(state, conversationId, null)
      return message.senderId === null ? state : without(state, conversationId, message.senderId)
    }
    default:
      return state
  }
}

/** Removes typing that has expired; returns the same object if unchanged. */
export function withoutExpired(state: ChatPresence, nowMs: number): ChatPresence {
  const typing = new Map<number, readonly Typing[]>()
  let isSame = true
  for (const [conversationId, all] of state.typing) {
    const left = all.filter(({ untilMs }) => untilMs > nowMs)
    if (left.length > 0) typing.set(conversationId, left.length === all.length ? all : left)
    isSame &&= left.length === all.length
  }
  return isSame ? state : { ...state, typing }
}

/** When the next entry expires; undefined if there is none. */
export function nextExpiry({ typing }: ChatPresence): number | undefined {
  const ends = [...typing.values()].flat().map(({ untilMs }) => untilMs)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function withViewed(state: ChatPresence, isWhole: boolean, conversations: readonly Viewed[]): ChatPresence {
  const viewing = new Map(isWhole ? [] : state.viewing)
  for (const { conversationId, people } of conversations)
    if (people.length > 0) viewing.set(conversationId, people)
    else viewing.delete(conversationId)
  return { ...state, viewing }
}

function withTyped(
  state: ChatPresence,
  { conversationId, by, activity }: Typed,
  nowMs: number,
): ChatPresence {
  const rest = without(state, conversationId, by?.id ?? null)
  if (activity === 'paused') return rest
  const untilMs = nowMs + (by ? holdsMs.colleague : holdsMs.client)
  const others = rest.typing.get(conversationId) ?? []
  return {
    ...rest,
    typing: new Map(rest.typing).set(conversationId, [...others, { by, activity, untilMs }]),
  }
}

function without(state: ChatPresence, conversationId: number, userId: number | null): ChatPresence {
  const before = state.typing.get(conversationId)
  const left = before?.filter(({ by }) => (by?.id ?? null) !== userId)
  if (!before || !left || left.length === before.length) return state
  const typing = new Map(state.typing)
  if (left.length > 0) typing.set(conversationId, left)
  else typing.delete(conversationId)
  return { ...state, typing }
}

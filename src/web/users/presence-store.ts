import type { Activity, Colleague, LiveEvent, Typed, Viewed } from '#shared/live-events.ts'

/** Somebody's activity in a chat, with the time it expires unless repeated. */
export interface Doing {
  /** null: the client. */
  by: Colleague | null
  activity: Exclude<Activity, 'paused'>
  untilMs: number
}

/** Viewers and typists by conversation; conversations without any are omitted. */
export interface CompanyState {
  viewing: ReadonlyMap<number, readonly Colleague[]>
  doings: ReadonlyMap<number, readonly Doing[]>
}

export const nobody: CompanyState = { viewing: new Map(), doings: new Map() }

/** Browsers repeat 'typing' every three seconds, phones every ten at most. */
const holdsMs = { colleague: 6000, client: 10_000 }

/** Applies an event; returns the same object if unchanged. */
export function heard(state: CompanyState, event: LiveEvent, nowMs: number): CompanyState {
  switch (event.type) {
    case 'viewing':
      return withViewed(state, event.data.isWhole, event.data.conversations)
    case 'typing':
      return event.data.typing.reduce((before, one) => withTyped(before, one, nowMs), state)
    case 'message_received':
    case 'new_message': {
      // Sending ends typing.
      const { conversationId, message } = event.data
      if (message.senderType === 'contact') return without(state, conversationId, null)
      return message.senderId === null ? state : without(state, conversationId, message.senderId)
    }
    default:
      return state
  }
}

/** Removes what has expired. */
export function expired(state: CompanyState, nowMs: number): CompanyState {
  const doings = new Map<number, readonly Doing[]>()
  let isSame = true
  for (const [conversationId, all] of state.doings) {
    const left = all.filter(({ untilMs }) => untilMs > nowMs)
    if (left.length > 0) doings.set(conversationId, left.length === all.length ? all : left)
    isSame &&= left.length === all.length
  }
  return isSame ? state : { ...state, doings }
}

/** The next expiry; undefined: there is none. */
export function nextEnd({ doings }: CompanyState): number | undefined {
  const ends = [...doings.values()].flat().map(({ untilMs }) => untilMs)
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function withViewed(state: CompanyState, isWhole: boolean, conversations: readonly Viewed[]): CompanyState {
  const viewing = new Map(isWhole ? [] : state.viewing)
  for (const { conversationId, people } of conversations)
    if (people.length > 0) viewing.set(conversationId, people)
    else viewing.delete(conversationId)
  return { ...state, viewing }
}

function withTyped(
  state: CompanyState,
  { conversationId, by, activity }: Typed,
  nowMs: number,
): CompanyState {
  const rest = without(state, conversationId, by?.id ?? null)
  if (activity === 'paused') return rest
  const untilMs = nowMs + (by ? holdsMs.colleague : holdsMs.client)
  const others = rest.doings.get(conversationId) ?? []
  return {
    ...rest,
    doings: new Map(rest.doings).set(conversationId, [...others, { by, activity, untilMs }]),
  }
}

function without(state: CompanyState, conversationId: number, userId: number | null): CompanyState {
  const before = state.doings.get(conversationId)
  const left = before?.filter(({ by }) => (by?.id ?? null) !== userId)
  if (!before || !left || left.length === before.length) return state
  const doings = new Map(state.doings)
  if (left.length > 0) doings.set(conversationId, left)
  else doings.delete(conversationId)
  return { ...state, doings }
}

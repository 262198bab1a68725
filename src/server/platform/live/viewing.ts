import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Colleague, liveEvents, type LiveEvent, type Typed, type Viewed } from '#shared/live-events.ts'
import { throttle } from '#server/platform/work/throttle.ts'
import { longestNote, type Signals } from '#server/platform/work/signals.ts'

/**
 * Who has which chat open and who types, across all instances. Nothing is stored: each process knows its own
 * sockets, broadcasts its changes, and repeats its whole state at an interval, so that a lost note is made up
 * for and a process that died is forgotten.
 */
export interface Viewing {
  /** Sets the chat that a connection has open; null: none. */
  setViewing(connectionId: string, person: Colleague, conversationId: number | null): void
  remove(connectionId: string): void
  /** @returns false when the connection has another chat open; then nothing happens */
  setTyping(connectionId: string, conversationId: number, isTyping: boolean): boolean
  setClientTyping(conversationId: number, activity: Typed['activity']): void
  /** The whole current state, for a new socket. */
  wholeEvent(): ViewingEvent
  stop(): void
}

/** What is sent about chats that are open, and of who types. */
export type ViewingEvent = Extract<LiveEvent, { type: 'viewing' | 'typing' }>

export interface ViewingTimes {
  /** Interval at which each process broadcasts its whole state. */
  repeatMs: number
  /** State that was not repeated for this long is dropped. */
  forgetMs: number
}

const usualTimes: ViewingTimes = { repeatMs: 20_000, forgetMs: 50_000 }
/** Sockets and other instances get at most two updates per second. */
const rhythm = { soonMs: 40, everyMs: 500 }
/** Per chat: the console shows no more. */
const maxPeople = 12
const maxNameLength = 80

/** Validated, because any role that may connect to the database can send on a channel. */
const note = z.object({
  process: z.string().max(64),
  viewing: z._default(liveEvents.viewing.data.shape.conversations, []),
  typing: z._default(liveEvents.typing.data.shape.typing, []),
  /** 'ask': the process has just started and needs the state of the others; 'bye': it ends. */
  says: z.enum(['ask', 'bye']).optional(),
})
type Note = z.infer<typeof note>

/** The last note of another process about a conversation. */
interface RemoteViewers {
  people: Colleague[]
  atMs: number
}

/** @param sendEvent sends an event to all sockets of this process whose person may see conversations */
export function createViewing(
  signals: Pick<Signals, 'broadcast' | 'onNote'>,
  sendEvent: (event: ViewingEvent) => void,
  { repeatMs, forgetMs }: ViewingTimes = usualTimes,
): Viewing {
  const process = randomUUID()
  const spots = new Map<string, { person: Colleague; conversationId: number }>()
  /** Connections of this process by conversation. */
  const here = new Map<number, Set<string>>()
  /** By conversation, then by process. */
  const elsewhere = new Map<number, Map<string, RemoteViewers>>()
  const changedHere = new Set<number>()
  const changed = new Set<number>()
  /** By conversation and person: only the last change is sent. */
  const typedHere = new Map<string, Typed>()
  const typed = new Map<string, Typed>()
  let cachedWhole: ViewingEvent | undefined

  const peopleHere = (conversationId: number): Colleague[] => {
    const people = [...(here.get(conversationId) ?? [])].flatMap((id) => spots.get(id)?.person ?? [])
    return [...new Map(people.map((person) => [person.id, person])).values()].slice(0, maxPeople)
  }
  const people = (conversationId: number): Colleague[] => {
    const others = [...(elsewhere.get(conversationId)?.values() ?? [])].flatMap((viewers) => viewers.people)
    const all = new Map([...others, ...peopleHere(conversationId)].map((person) => [person.id, person]))
    return [...all.values()].sort((a, b) => a.id - b.id).slice(0, maxPeople)
  }
  const viewed = (conversationId: number): Viewed => ({ conversationId, people: people(conversationId) })
  const viewedHere = (conversationId: number): Viewed => ({
    conversationId,
    people: peopleHere(conversationId),
  })
  const broadcastState = (state: Pick<Note, 'viewing' | 'typing'>) => {
    for (const part of inNotes(state)) signals.broadcast({ process, ...part })
  }

  const changes = throttle(() => {
    broadcastState({ viewing: [...changedHere].map(viewedHere), typing: [...typedHere.values()] })
    if (changed.size > 0)
      sendEvent({ type: 'viewing', data: { isWhole: false, conversations: [...changed].map(viewed) } })
    if (typed.size > 0) sendEvent({ type: 'typing', data: { typing: [...typed.values()] } })
    for (const done of [changedHere, changed, typedHere, typed]) done.clear()
  }, rhythm)

  const markChanged = (conversationId: number) => {
    changed.add(conversationId)
    cachedWhole = undefined
    changes.want()
  }
  const noteTyped = (one: Typed, isOurs: boolean) => {
    const key = `${one.conversationId} ${one.by?.id ?? 'client'}`
    typed.set(key, one)
    if (isOurs) typedHere.set(key, one)
    changes.want()
  }
  const remove = (connectionId: string) => {
    const spot = spots.get(connectionId)
    if (!spot) return
    spots.delete(connectionId)
    const connections = here.get(spot.conversationId)
    connections?.delete(connectionId)
    if (connections?.size === 0) here.delete(spot.conversationId)
    changedHere.add(spot.conversationId)
    markChanged(spot.conversationId)
  }
  const setRemoteViewers = (from: string, { conversationId, people: theirs }: Viewed) => {
    const viewers = elsewhere.get(conversationId) ?? new Map<string, RemoteViewers>()
    const before = viewers.get(from)?.people ?? []
    if (theirs.length > 0) viewers.set(from, { people: theirs.slice(0, maxPeople), atMs: performance.now() })
    else viewers.delete(from)
    if (viewers.size > 0) elsewhere.set(conversationId, viewers)
    else elsewhere.delete(conversationId)
    if (idsOf(before) !== idsOf(theirs)) markChanged(conversationId)
  }
  /** @param isOver whether to drop what the process last sent at that time */
  const forget = (isOver: (from: string, atMs: number) => boolean) => {
    for (const [conversationId, viewers] of elsewhere)
      for (const [from, { atMs }] of viewers)
        if (isOver(from, atMs)) setRemoteViewers(from, { conversationId, people: [] })
  }
  const repeat = () => broadcastState({ viewing: [...here.keys()].map(viewedHere), typing: [] })

  const off = signals.onNote((received) => {
    const parsed = note.safeParse(received)
    if (!parsed.success || parsed.data.process === process) return
    const { process: from, viewing, typing, says } = parsed.data
    for (const one of viewing) setRemoteViewers(from, one)
    for (const one of typing) noteTyped(one, false)
    if (says === 'ask') repeat()
    if (says === 'bye') forget((who) => who === from)
  })
  const timer = setInterval(() => {
    repeat()
    const now = performance.now()
    forget((_from, atMs) => now - atMs > forgetMs)
  }, repeatMs).unref()
  signals.broadcast({ process, says: 'ask' })

  return {
    setViewing(connectionId, { id, name }, conversationId) {
      if (spots.get(connectionId)?.conversationId === conversationId) return
      remove(connectionId)
      if (conversationId === null) return
      spots.set(connectionId, { person: { id, name: name.slice(0, maxNameLength) }, conversationId })
      here.set(conversationId, (here.get(conversationId) ?? new Set()).add(connectionId))
      changedHere.add(conversationId)
      markChanged(conversationId)
    },
    remove,
    setTyping(connectionId, conversationId, isTyping) {
      const spot = spots.get(connectionId)
      if (spot?.conversationId !== conversationId) return false
      noteTyped({ conversationId, by: spot.person, activity: isTyping ? 'composing' : 'paused' }, true)
      return true
    },
    setClientTyping: (conversationId, activity) => noteTyped({ conversationId, by: null, activity }, true),
    wholeEvent() {
      const open = new Set([...here.keys(), ...elsewhere.keys()])
      cachedWhole ??= { type: 'viewing', data: { isWhole: true, conversations: [...open].map(viewed) } }
      return cachedWhole
    },
    stop() {
      off()
      clearInterval(timer)
      changes.stop()
      signals.broadcast({ process, says: 'bye' })
    },
  }
}

const idsOf = (people: Colleague[]) => people.map(({ id }) => id).join()

/** Splits the state into notes that fit the maximum length of a NOTIFY. */
function inNotes({ viewing, typing }: Pick<Note, 'viewing' | 'typing'>): Partial<Note>[] {
  return [
    ...inParts(viewing).map((part) => ({ viewing: part })),
    ...inParts(typing).map((part) => ({ typing: part })),
  ]
}

function inParts<Item>(items: Item[]): Item[][] {
  const parts: Item[][] = []
  let bytes = Infinity
  for (const item of items) {
    const more = Buffer.byteLength(JSON.stringify(item)) + 1
    // The note also contains the ids of two processes.
    if (bytes + more > longestNote - 250) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(item)
    bytes += more
  }
  return parts
}

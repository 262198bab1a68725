import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type Colleague,
  liveEventData,
  type LiveEvent,
  type Typed,
  type Viewed,
} from '#shared/live-events.ts'
import { throttle } from '#server/platform/work/throttle.ts'
import { longestNote, type Signals } from '#server/platform/work/signals.ts'

/**
 * Who has which chat open and who types, over all instances. Nothing of it is stored: each process knows its own sockets,
 * tells the others what changes, and everything again from time to time, so that a lost note mends itself and a process that
 * died is forgotten.
 */
export interface Viewing {
  /** The chat that a connection has open now; null: none. */
  look(connectionId: string, person: Colleague, conversationId: number | null): void
  left(connectionId: string): void
  /** A connection's person types in the chat that it has open. @returns false when that is another one */
  types(connectionId: string, conversationId: number, isTyping: boolean): boolean
  clientTypes(conversationId: number, activity: Typed['activity']): void
  /** All that is known, as a socket is told first. */
  whole(): LiveEvent
  stop(): void
}

export interface ViewingTimes {
  /** How often everything is told again. */
  repeatMs: number
  /** What was not told again for so long is over. */
  forgetMs: number
}

const usualTimes: ViewingTimes = { repeatMs: 20_000, forgetMs: 50_000 }
/** Whatever happens, sockets and instances are told at most twice a second. */
const rhythm = { soonMs: 40, everyMs: 500 }
/** Of one chat; more faces say no more. */
const mostPeople = 12
const longestName = 80

/** Whoever may connect to the database may say anything on a channel. */
const note = z.object({
  process: z.string().max(64),
  viewing: z._default(liveEventData.viewing.shape.conversations, []),
  typing: z._default(liveEventData.typing.shape.typing, []),
  /** 'ask': a process that has just begun knows nothing; 'bye': it ends. */
  says: z.enum(['ask', 'bye']).optional(),
})
type Note = z.infer<typeof note>

/** What another process said of a conversation, and when. */
interface Heard {
  people: Colleague[]
  atMs: number
}

/** @param tell what all sockets of this process are told, of people who see conversations */
export function createViewing(
  signals: Pick<Signals, 'broadcast' | 'onNote'>,
  tell: (event: LiveEvent) => void,
  { repeatMs, forgetMs }: ViewingTimes = usualTimes,
): Viewing {
  const process = randomUUID()
  const spots = new Map<string, { person: Colleague; conversationId: number }>()
  /** By conversation the connections here. */
  const here = new Map<number, Set<string>>()
  /** By conversation what other processes said. */
  const elsewhere = new Map<number, Map<string, Heard>>()
  const changedHere = new Set<number>()
  const changed = new Set<number>()
  /** By conversation and person: the last word counts. */
  const typedHere = new Map<string, Typed>()
  const typed = new Map<string, Typed>()
  let told: LiveEvent | undefined

  const peopleHere = (conversationId: number): Colleague[] => {
    const people = [...(here.get(conversationId) ?? [])].flatMap((id) => spots.get(id)?.person ?? [])
    return [...new Map(people.map((person) => [person.id, person])).values()].slice(0, mostPeople)
  }
  const people = (conversationId: number): Colleague[] => {
    const others = [...(elsewhere.get(conversationId)?.values() ?? [])].flatMap((heard) => heard.people)
    const all = new Map([...others, ...peopleHere(conversationId)].map((person) => [person.id, person]))
    return [...all.values()].sort((a, b) => a.id - b.id).slice(0, mostPeople)
  }
  const viewed = (conversationId: number): Viewed => ({ conversationId, people: people(conversationId) })
  const viewedHere = (conversationId: number): Viewed => ({
    conversationId,
    people: peopleHere(conversationId),
  })
  const say = (said: Pick<Note, 'viewing' | 'typing'>) => {
    for (const part of inNotes(said)) signals.broadcast({ process, ...part })
  }

  const news = throttle(() => {
    say({ viewing: [...changedHere].map(viewedHere), typing: [...typedHere.values()] })
    if (changed.size > 0)
      tell({ type: 'viewing', data: { isWhole: false, conversations: [...changed].map(viewed) } })
    if (typed.size > 0) tell({ type: 'typing', data: { typing: [...typed.values()] } })
    for (const done of [changedHere, changed, typedHere, typed]) done.clear()
  }, rhythm)

  const isChanged = (conversationId: number) => {
    changed.add(conversationId)
    told = undefined
    news.want()
  }
  const noteTyped = (one: Typed, isOurs: boolean) => {
    const key = `${one.conversationId} ${one.by?.id ?? 'client'}`
    typed.set(key, one)
    if (isOurs) typedHere.set(key, one)
    news.want()
  }
  const leave = (connectionId: string) => {
    const spot = spots.get(connectionId)
    if (!spot) return
    spots.delete(connectionId)
    const connections = here.get(spot.conversationId)
    connections?.delete(connectionId)
    if (connections?.size === 0) here.delete(spot.conversationId)
    changedHere.add(spot.conversationId)
    isChanged(spot.conversationId)
  }
  const hearViewed = (from: string, { conversationId, people: theirs }: Viewed) => {
    const heard = elsewhere.get(conversationId) ?? new Map<string, Heard>()
    const before = heard.get(from)?.people ?? []
    if (theirs.length > 0) heard.set(from, { people: theirs.slice(0, mostPeople), atMs: performance.now() })
    else heard.delete(from)
    if (heard.size > 0) elsewhere.set(conversationId, heard)
    else elsewhere.delete(conversationId)
    if (idsOf(before) !== idsOf(theirs)) isChanged(conversationId)
  }
  /** @param isOver whether what this process said at that moment counts no more */
  const forget = (isOver: (from: string, atMs: number) => boolean) => {
    for (const [conversationId, heard] of elsewhere)
      for (const [from, { atMs }] of heard)
        if (isOver(from, atMs)) hearViewed(from, { conversationId, people: [] })
  }
  const repeat = () => say({ viewing: [...here.keys()].map(viewedHere), typing: [] })

  const off = signals.onNote((said) => {
    const heard = note.safeParse(said)
    if (!heard.success || heard.data.process === process) return
    const { process: from, viewing, typing, says } = heard.data
    for (const one of viewing) hearViewed(from, one)
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
    look(connectionId, { id, name }, conversationId) {
      if (spots.get(connectionId)?.conversationId === conversationId) return
      leave(connectionId)
      if (conversationId === null) return
      spots.set(connectionId, { person: { id, name: name.slice(0, longestName) }, conversationId })
      here.set(conversationId, (here.get(conversationId) ?? new Set()).add(connectionId))
      changedHere.add(conversationId)
      isChanged(conversationId)
    },
    left: leave,
    types(connectionId, conversationId, isTyping) {
      const spot = spots.get(connectionId)
      if (spot?.conversationId !== conversationId) return false
      noteTyped({ conversationId, by: spot.person, activity: isTyping ? 'composing' : 'paused' }, true)
      return true
    },
    clientTypes: (conversationId, activity) => noteTyped({ conversationId, by: null, activity }, true),
    whole() {
      const open = new Set([...here.keys(), ...elsewhere.keys()])
      told ??= { type: 'viewing', data: { isWhole: true, conversations: [...open].map(viewed) } }
      return told
    },
    stop() {
      off()
      clearInterval(timer)
      news.stop()
      signals.broadcast({ process, says: 'bye' })
    },
  }
}

const idsOf = (people: Colleague[]) => people.map(({ id }) => id).join()

/** As many notes as it takes, none longer than a NOTIFY may be. */
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
    // Beside the items stand the names of two processes.
    if (bytes + more > longestNote - 250) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(item)
    bytes += more
  }
  return parts
}

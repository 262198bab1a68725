import { listOperators } from '#shared/users/users.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import { reachesEverything } from '#server/platform/http/reach.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { LiveSocket } from './live-socket.ts'
import type { LiveSockets } from './live-sockets.ts'
import type { Log } from '#server/platform/log.ts'
import { createPresenceStates, type UserPresence } from './presence-state.ts'
import { createReachFilter, type FindFacts } from './viewing-reach.ts'
import { createViewing, type ViewingEvent, type ViewingTimes } from './viewing.ts'

/** Exchanges between sockets who is online, who has which chat open, and who types. */
export interface PresenceLive {
  /** Sends a new socket the whole current state. */
  sendAll(socket: LiveSocket): void
  setViewing(socket: LiveSocket, conversationId: number | null): void
  setTyping(socket: LiveSocket, conversationId: number, isTyping: boolean): void
  setClientTyping(conversationId: number, activity: 'composing' | 'recording' | 'paused'): void
  /** Call when time has passed, or a person may have lost a permission. */
  refresh(): void
  remove(socket: LiveSocket): void
  stop(): void
}

export interface PresenceSources {
  /** Whether the conversation is open and the person may see it. */
  mayView(who: Who, conversationId: number): Promise<boolean>
  /** What decides who knows of the conversations. */
  findFacts: FindFacts
  /** A person starts or stops typing to the client. */
  onTyping(who: Who, conversationId: number, isTyping: boolean): void
}

/** Whoever may list the operators sees everybody's state; everybody else sees only their own. */
const operatorsRow = listOperators.rows['GET /api/users/operators']

export function createPresenceLive(
  {
    database,
    log,
    sockets,
    here,
  }: { database: Database; log: Log; sockets: LiveSockets; here: () => string },
  sources: PresenceSources,
  times?: ViewingTimes,
): PresenceLive {
  /**
   * The chat that each socket asked for last, while `mayView` may still be pending, and whether they type.
   */
  const wanted = new Map<LiveSocket, { conversationId: number; isTyping: boolean }>()
  const isSeeing = ({ who }: LiveSocket) => who.flags.canViewConversations

  const toTheirReach = createReachFilter(sources.findFacts)
  const sendViewingTo = (to: Iterable<LiveSocket>, event: ViewingEvent) => {
    const json = JSON.stringify(event.data)
    const limited: LiveSocket[] = []
    for (const socket of to)
      if (isSeeing(socket))
        if (reachesEverything(socket.who)) socket.sendTransient(event.type, json, here())
        else limited.push(socket)
    if (limited.length === 0) return
    toTheirReach(event, (seenBy) => {
      for (const socket of limited) {
        const seen = seenBy(socket.who)
        if (seen) socket.sendTransient(seen.type, JSON.stringify(seen.data), here())
      }
    }).catch((error: unknown) => log.debug({ err: error }, 'viewing not sent'))
  }
  const sendViewing = (event: ViewingEvent) => sendViewingTo(sockets.all, event)
  const sendPresence = (to: Iterable<LiveSocket>, people: UserPresence[], isWhole: boolean) => {
    const json = JSON.stringify({ isWhole, people })
    for (const socket of to) {
      if (isPermitted(socket.who, operatorsRow)) socket.sendTransient('presence', json, here())
      else {
        const own = people.filter(({ id }) => id === socket.who.id)
        if (own.length > 0) socket.sendTransient('presence', JSON.stringify({ isWhole, people: own }), here())
      }
    }
  }
  const viewing = createViewing(database.signals, sendViewing, times)
  const presenceStates = createPresenceStates(database, log, (changed) =>
    sendPresence(sockets.all, changed, false),
  )
  const setTyping = ({ id, who }: LiveSocket, conversationId: number, isTyping: boolean) => {
    if (viewing.setTyping(id, conversationId, isTyping)) sources.onTyping(who, conversationId, isTyping)
  }
  const remove = (socket: LiveSocket) => {
    wanted.delete(socket)
    viewing.remove(socket.id)
  }

  return {
    sendAll(socket) {
      sendPresence([socket], presenceStates.all(), true)
      sendViewingTo([socket], viewing.wholeEvent())
    },
    setViewing(socket, conversationId) {
      remove(socket)
      if (conversationId === null || !isSeeing(socket)) return
      const spot = { conversationId, isTyping: false }
      wanted.set(socket, spot)
      sources
        .mayView(socket.who, conversationId)
        .then((may) => {
          // Meanwhile the socket may have opened another chat, or closed.
          if (!may || wanted.get(socket) !== spot) return
          viewing.setViewing(socket.id, socket.who, conversationId)
          if (spot.isTyping) setTyping(socket, conversationId, true)
        })
        .catch((error: unknown) => log.debug({ err: error }, 'viewing not sent'))
    },
    setTyping(socket, conversationId, isTyping) {
      const spot = wanted.get(socket)
      if (spot?.conversationId !== conversationId) return
      // Said again once the socket is known to see the chat.
      spot.isTyping = isTyping
      setTyping(socket, conversationId, isTyping)
    },
    setClientTyping: viewing.setClientTyping,
    refresh() {
      presenceStates.refresh()
      for (const [socket, { conversationId }] of wanted)
        if (!isSeeing(socket)) remove(socket)
        else if (!reachesEverything(socket.who))
          sources
            .mayView(socket.who, conversationId)
            .then((may) => !may && wanted.get(socket)?.conversationId === conversationId && remove(socket))
            .catch((error: unknown) => log.debug({ err: error }, 'viewing not checked'))
    },
    remove,
    stop() {
      viewing.stop()
      presenceStates.stop()
    },
  }
}

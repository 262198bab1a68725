import type { LiveEvent } from '#shared/live-events.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { LiveSocket } from './live-socket.ts'
import type { LiveSockets } from './live-sockets.ts'
import type { Log } from '#server/platform/log.ts'
import { createPresenceStates, type UserPresence } from './presence-state.ts'
import { createViewing, type ViewingTimes } from './viewing.ts'

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
  /** A person starts or stops typing to the client. */
  onTyping(who: Who, conversationId: number, isTyping: boolean): void
}

/** Whoever may list the operators sees everybody's state; everybody else sees only his own. */
const operatorsRow = 'GET /api/users/operators'

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
  /** The chat that each socket asked for last, while `mayView` may still be pending, and who types in it. */
  const wanted = new Map<LiveSocket, { conversationId: number; isTyping: boolean }>()
  const isSeeing = ({ who }: LiveSocket) => who.flags.canViewConversations

  const sendViewing = (event: LiveEvent) => {
    const json = JSON.stringify(event.data)
    for (const socket of sockets.all) if (isSeeing(socket)) socket.sendTransient(event.type, json, here())
  }
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
      const event = viewing.wholeEvent()
      if (isSeeing(socket)) socket.sendTransient(event.type, JSON.stringify(event.data), here())
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
      for (const socket of wanted.keys()) if (!isSeeing(socket)) remove(socket)
    },
    remove,
    stop() {
      viewing.stop()
      presenceStates.stop()
    },
  }
}

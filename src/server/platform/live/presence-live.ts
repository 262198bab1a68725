import type { LiveEvent } from '#shared/live-events.ts'
import type { PresenceState } from '#shared/users.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { LiveSocket } from './live-socket.ts'
import type { LiveSockets } from './live-sockets.ts'
import type { Log } from '#server/platform/log.ts'
import { createStanding } from './presence-state.ts'
import { createViewing, type ViewingTimes } from './viewing.ts'

/** What sockets tell of their people, and are told of others: who is here, who has which chat open, who types. */
export interface Company {
  /** All that is known, for who has just come. */
  welcome(socket: LiveSocket): void
  looks(socket: LiveSocket, conversationId: number | null): void
  types(socket: LiveSocket, conversationId: number, isTyping: boolean): void
  clientTypes(conversationId: number, activity: 'composing' | 'recording' | 'paused'): void
  /** Time has passed, or somebody may see less than before. */
  look(): void
  left(socket: LiveSocket): void
  stop(): void
}

export interface CompanySources {
  /** Whether the person may see the conversation, and it is open. */
  mayView(who: Who, conversationId: number): Promise<boolean>
  /** Somebody types to the client, or has stopped. */
  onTyping(who: Who, conversationId: number, isTyping: boolean): void
}

/** Who picks a colleague sees how he stands, and everybody himself. */
const operatorsRow = 'GET /api/users/operators'

export function createCompany(
  {
    database,
    log,
    sockets,
    here,
  }: { database: Database; log: Log; sockets: LiveSockets; here: () => string },
  sources: CompanySources,
  times?: ViewingTimes,
): Company {
  /** Which chat a socket has asked for last; whether it may is found out meanwhile. */
  const wanted = new Map<LiveSocket, number>()
  const isSeeing = ({ who }: LiveSocket) => who.flags.canViewConversations

  const tellViewing = (event: LiveEvent) => {
    const json = JSON.stringify(event.data)
    for (const socket of sockets.all) if (isSeeing(socket)) socket.pass(event.type, json, here())
  }
  const tellStanding = (to: Iterable<LiveSocket>, people: Standing, isWhole: boolean) => {
    const json = JSON.stringify({ isWhole, people })
    for (const socket of to) {
      if (isPermitted(socket.who, operatorsRow)) socket.pass('presence', json, here())
      else {
        const own = people.filter(({ id }) => id === socket.who.id)
        if (own.length > 0) socket.pass('presence', JSON.stringify({ isWhole, people: own }), here())
      }
    }
  }
  const viewing = createViewing(database.signals, tellViewing, times)
  const standing = createStanding(database, log, (changed) => tellStanding(sockets.all, changed, false))
  const leave = (socket: LiveSocket) => {
    wanted.delete(socket)
    viewing.left(socket.id)
  }

  return {
    welcome(socket) {
      tellStanding([socket], standing.whole(), true)
      const event = viewing.whole()
      if (isSeeing(socket)) socket.pass(event.type, JSON.stringify(event.data), here())
    },
    looks(socket, conversationId) {
      leave(socket)
      if (conversationId === null || !isSeeing(socket)) return
      wanted.set(socket, conversationId)
      sources
        .mayView(socket.who, conversationId)
        .then((may) => {
          // It may have gone on to another chat, or away.
          if (may && wanted.get(socket) === conversationId)
            viewing.look(socket.id, socket.who, conversationId)
        })
        .catch((error: unknown) => log.debug({ err: error }, 'viewing not told'))
    },
    types(socket, conversationId, isTyping) {
      if (viewing.types(socket.id, conversationId, isTyping))
        sources.onTyping(socket.who, conversationId, isTyping)
    },
    clientTypes: viewing.clientTypes,
    look() {
      standing.look()
      for (const socket of wanted.keys()) if (!isSeeing(socket)) leave(socket)
    },
    left: leave,
    stop() {
      viewing.stop()
      standing.stop()
    },
  }
}

type Standing = { id: number; state: PresenceState }[]

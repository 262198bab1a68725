import { isDeepStrictEqual } from 'node:util'
import type { PauseNow, PresenceState } from '#shared/users/users.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { listPresence, type PresenceNow } from './presence.ts'
import { throttle } from '#server/platform/work/throttle.ts'

export type UserPresence = { id: number; state: PresenceState; pause?: PauseNow }

/** The presence state of every user, as this process last sent it to its sockets. */
export interface PresenceStates {
  /** Schedules a new reading: a user came or left, or time has passed. */
  refresh(): void
  /** Everybody who is not offline. */
  all(): UserPresence[]
  stop(): void
}

/** Many users who reconnect at once cost one reading per second. */
const rhythm = { soonMs: 40, everyMs: 1000 }

/** @param notifyChanged called with the states that differ from the previous reading of the database */
export function createPresenceStates(
  database: Database,
  log: Log,
  notifyChanged: (changed: UserPresence[]) => void,
): PresenceStates {
  let known = new Map<number, PresenceNow>()
  const read = async () => {
    const now = await listPresence(database)
    const gone = [...known.keys()].filter((id) => !now.has(id))
    const changed = [...now].filter(([id, one]) => !isDeepStrictEqual(known.get(id), one))
    known = now
    const all: UserPresence[] = [
      ...changed.map(([id, one]) => ({ id, ...one })),
      ...gone.map((id) => ({ id, state: 'offline' as const })),
    ]
    if (all.length > 0) notifyChanged(all)
  }
  const reading = throttle(
    () => void read().catch((error: unknown) => log.debug({ err: error }, 'presence not read')),
    rhythm,
  )
  const off = database.signals.on('presence', reading.want)
  reading.want()
  return {
    refresh: reading.want,
    all: () => [...known].map(([id, one]) => ({ id, ...one })),
    stop() {
      off()
      reading.stop()
    },
  }
}

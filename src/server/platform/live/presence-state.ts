import type { PresenceState } from '#shared/users.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { listStanding } from './presence.ts'
import { throttle } from '#server/platform/work/throttle.ts'

type Changed = { id: number; state: PresenceState }[]

/** How everybody stands who is here, as this process has told its sockets. */
export interface Standing {
  /** Reads again, soon: somebody came, left, or time has passed. */
  look(): void
  /** Who is named nowhere is offline. */
  whole(): Changed
  stop(): void
}

/** A storm of people who come back costs one reading a second. */
const rhythm = { soonMs: 40, everyMs: 1000 }

/** @param tell what has changed, as the database has it */
export function createStanding(database: Database, log: Log, tell: (changed: Changed) => void): Standing {
  let known = new Map<number, PresenceState>()
  const read = async () => {
    const now = await listStanding(database)
    const gone = [...known.keys()].filter((id) => !now.has(id))
    const changed = [...now].filter(([id, state]) => known.get(id) !== state)
    known = now
    const all: Changed = [
      ...changed.map(([id, state]) => ({ id, state })),
      ...gone.map((id) => ({ id, state: 'offline' as const })),
    ]
    if (all.length > 0) tell(all)
  }
  const reading = throttle(
    () => void read().catch((error: unknown) => log.debug({ err: error }, 'presence not read')),
    rhythm,
  )
  const off = database.signals.on('presence', reading.want)
  reading.want()
  return {
    look: reading.want,
    whole: () => [...known].map(([id, state]) => ({ id, state })),
    stop() {
      off()
      reading.stop()
    },
  }
}

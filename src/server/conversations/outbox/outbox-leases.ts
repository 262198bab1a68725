import { sql } from 'drizzle-orm'
import { type Database, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import type { Claimed } from './outbox-claim.ts'
import type { SendSlot } from './outbox-pace.ts'
import { intervalOf } from './outbox-times.ts'

/** A message that this process is sending. */
export type Send = Claimed & SendSlot

export interface Leases {
  /** Keeps the lease of a send. @returns to be called when the send is over */
  hold(send: Send): () => void
  /** Renews the leases until it is stopped. */
  worker: Worker
}

/**
 * Keeps what this process sends from being taken for the work of a dead one. A lease is short, so that what a
 * dead process leaves is soon looked after, and a send may take long, so it is renewed meanwhile.
 */
export function startLeases(database: Database, log: Log, leaseMs: number): Leases {
  const held = new Set<Send>()
  return {
    hold(send) {
      held.add(send)
      return () => void held.delete(send)
    },
    worker: createWorker({
      name: 'outbox-leases',
      database,
      log,
      pollMs: leaseMs / 3,
      failureLevel: 'warn',
      async work() {
        if (held.size > 0) await renew(database, [...held], leaseMs)
        return 'idle'
      },
    }),
  }
}

/** A row that somebody has locked is left: it is being ended, or is renewed the next time. */
async function renew(database: Database, sends: Send[], leaseMs: number): Promise<void> {
  const until = sql`now() + ${intervalOf(leaseMs)}`
  await rows(
    database,
    sql`update outbox set lease_until = ${until}
         where id = any(array(
           select o.id from outbox o
             join ${tableOf('c', sends, { id: 'int', claim: 'text' })} on o.id = c.id and o.claim = c.claim
            where o.state = 'sending' for update of o skip locked))`,
  )
  const probed = sends.flatMap(({ instanceId, isProbe }) => (isProbe ? [instanceId] : []))
  if (probed.length === 0) return
  // A probe that takes long is still the only one.
  await rows(
    database,
    sql`update evolution_api_config set breaker_until = ${until}
         where id = any(${sql.param(probed)}::int[]) and breaker_until is not null`,
  )
}

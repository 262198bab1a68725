import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { PresenceState } from '#shared/users/users.ts'
import { presence as presenceTable } from '#server/schema/platform/live.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { type Database, type Db, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'

/** Records the open sockets of all instances in rows that each process keeps fresh. */
export interface Presence {
  joined(connectionId: string, userId: number): void
  left(connectionId: string): void
  active(connectionId: string): void
  /** Call every 30 s: refreshes the rows of this process, and repairs those that could not be written. */
  beat(): Promise<void>
  stop(): Promise<void>
}

/** After three missed heartbeats the process that wrote the row counts as dead. */
const staleAfter = sql`now() - interval '90 seconds'`

/** Without input for this long a person counts as idle. */
const idleAfterMs = 15 * 60_000

interface Here {
  userId: number
  inputAtMs: number
}

export function createPresence(database: Database, log: Log): Presence {
  const processId = randomUUID()
  /** The rows that the table should have for this process. */
  const here = new Map<string, Here>()
  let isStopped = false

  const insert = async (connectionIds: string[]) => {
    const now = performance.now()
    const list = connectionIds.flatMap((id) => {
      const one = here.get(id)
      return one ? [{ id, userId: one.userId, idleMs: now - one.inputAtMs }] : []
    })
    if (list.length === 0) return
    await database.execute(
      sql`insert into presence (connection_id, process_id, user_id, last_input_at)
          select id, ${processId}, "userId", now() - "idleMs" * interval '1 millisecond'
            from ${tableOf('t', list, { id: 'text', userId: 'int', idleMs: 'float8' })}
          on conflict (connection_id) do update
            set last_input_at = excluded.last_input_at, heartbeat_at = now()`,
    )
  }
  const remove = async (connectionIds: string[]) => {
    if (connectionIds.length > 0)
      await database.delete(presenceTable).where(inArray(presenceTable.connectionId, connectionIds))
  }
  /** Writes the state at the time of writing, so that a quick leave never overtakes its join. */
  const write = coalesce(async (changed: { id: string; isNews: boolean }[]) => {
    const ids = [...new Set(changed.map(({ id }) => id))]
    await remove(ids.filter((id) => !here.has(id)))
    await insert(ids.filter((id) => here.has(id)))
    if (changed.some(({ isNews }) => isNews)) database.signals.send('presence')
  })
  /** @param isNews whether the person's presence state may change for others */
  const change = (id: string, isNews = true) => {
    if (isStopped) return
    write({ id, isNews }).catch((error: unknown) => log.debug({ err: error }, 'presence not written'))
  }

  return {
    joined(connectionId, userId) {
      here.set(connectionId, { userId, inputAtMs: performance.now() })
      change(connectionId)
    },
    left(connectionId) {
      here.delete(connectionId)
      change(connectionId)
    },
    active(connectionId) {
      const one = here.get(connectionId)
      if (!one) return
      const wasIdle = performance.now() - one.inputAtMs > idleAfterMs
      one.inputAtMs = performance.now()
      change(connectionId, wasIdle)
    },
    async beat() {
      const kept = await database
        .update(presenceTable)
        .set({ heartbeatAt: sql`now()` })
        .where(eq(presenceTable.processId, processId))
        .returning({ id: presenceTable.connectionId })
      const written = new Set(kept.map((row) => row.id))
      // Removed by another instance while this one was stalled, or never written.
      await insert([...here.keys()].filter((id) => !written.has(id)))
      await remove([...written].filter((id) => !here.has(id)))
      await database.delete(presenceTable).where(sql`${presenceTable.heartbeatAt} < ${staleAfter}`)
    },
    async stop() {
      isStopped = true
      here.clear()
      try {
        // Waits for the round in progress.
        await write({ id: '', isNews: false })
        await database.delete(presenceTable).where(eq(presenceTable.processId, processId))
        database.signals.send('presence')
      } catch (error) {
        log.debug({ err: error }, 'presence not taken back')
      }
    },
  }
}

/** Lists the presence state of everybody who is not offline. */
export async function listPresence(db: Db): Promise<Map<number, PresenceState>> {
  const found = await rows<{ id: number; state: PresenceState }>(
    db,
    sql`select p.user_id as id, case when u.is_away then 'away'
                         when max(p.last_input_at) < now() - ${idleAfterMs} * interval '1 millisecond'
                         then 'idle'
                         else 'online' end as state
          from presence p left join users u on u.id = p.user_id
         where p.heartbeat_at >= ${staleAfter} group by p.user_id, u.is_away`,
  )
  return new Map(found.map(({ id, state }) => [id, state]))
}

/** Counts the users of a role with a live socket. @see decisions §3 Statistics */
export async function countOnline(db: Db, role: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(distinct p.user_id)::int as n from presence p join users u on u.id = p.user_id
         where p.heartbeat_at >= ${staleAfter} and u.role = ${role} and u.is_active and not u.is_blocked
           and u.deleted_at is null`,
  )
  return row?.n ?? 0
}

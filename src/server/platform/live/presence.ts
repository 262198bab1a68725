import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import type { PauseNow, PresenceState } from '#shared/users/users.ts'
import { isoTime } from '#server/schema/columns.ts'
import { presence as presenceTable } from '#server/schema/platform/live.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { type Database, type Db, rows, tableOf } from '#server/platform/database/db.ts'
import type { Log } from '#server/platform/log.ts'

/** Records the open sockets of all instances in rows that each process keeps fresh. */
export interface Presence {
  joined(connectionId: string, userId: number, sessionId: number): void
  left(connectionId: string): void
  active(connectionId: string): void
  /**
   * Call every 30 s: refreshes the rows of this process, repairs those that could not be written, and deletes
   * old ones.
   */
  beat(): Promise<void>
  stop(): Promise<void>
}

/** After three missed heartbeats the process that wrote the row counts as dead. */
export const isConnected = sql`(p.left_at is null and p.heartbeat_at >= now() - interval '90 seconds')`

/** What the record of working days may still read: it has written it by then. */
const keptFor = sql`interval '20 minutes'`

/** Without input for this long a person counts as idle. */
export const idleAfterMs = 15 * 60_000

const inserted = { id: 'text', userId: 'int', sessionId: 'int', hasInput: 'bool', idleMs: 'float8' } as const

interface Here {
  userId: number
  sessionId: number
  inputAtMs: number
  /** Until then its coming counts as input only for who was not there: a line that is back is none. */
  hasInput: boolean
}

export function createPresence(database: Database, log: Log): Presence {
  const processId = randomUUID()
  const isFresh = sql`${presenceTable.heartbeatAt} >= now() - interval '90 seconds'`
  const ofThisProcess = and(eq(presenceTable.processId, processId), isNull(presenceTable.leftAt))
  /** The rows that the table should have for this process. */
  const here = new Map<string, Here>()
  let isStopped = false

  const insert = async (connectionIds: string[]) => {
    const now = performance.now()
    const list = connectionIds.flatMap((id) => {
      const one = here.get(id)
      if (!one) return []
      const { userId, sessionId, inputAtMs, hasInput } = one
      return [{ id, userId, sessionId, hasInput, idleMs: now - inputAtMs }]
    })
    if (list.length === 0) return
    await database.execute(
      sql`insert into presence (connection_id, process_id, user_id, session_id, last_input_at)
          select t.id, ${processId}, t."userId", t."sessionId",
                 coalesce(case when not t."hasInput" then (select max(p.last_input_at) from presence p
                                                           where p.user_id = t."userId") end,
                          now() - t."idleMs" * interval '1 millisecond')
            from ${tableOf('t', list, inserted)}
          on conflict (connection_id) do update
            set last_input_at = greatest(presence.last_input_at, excluded.last_input_at),
                -- After a standstill it is another one: nobody knows what was in between.
                connected_at = case when presence.left_at is null
                                         and presence.heartbeat_at >= now() - interval '90 seconds'
                                    then presence.connected_at else now() end,
                heartbeat_at = now(), left_at = null`,
    )
  }
  const leave = async (connectionIds: string[]) => {
    if (connectionIds.length > 0)
      await database
        .update(presenceTable)
        .set({ leftAt: sql`now()` })
        .where(and(inArray(presenceTable.connectionId, connectionIds), isNull(presenceTable.leftAt)))
  }
  /** Writes the state at the time of writing, so that a quick leave never overtakes its join. */
  const write = coalesce(async (changed: { id: string; isNews: boolean }[]) => {
    const ids = [...new Set(changed.map(({ id }) => id))]
    await leave(ids.filter((id) => !here.has(id)))
    await insert(ids.filter((id) => here.has(id)))
    if (changed.some(({ isNews }) => isNews)) database.signals.send('presence')
  })
  /** @param isNews whether the person's presence state may change for others */
  const change = (id: string, isNews = true) => {
    if (isStopped) return
    write({ id, isNews }).catch((error: unknown) => log.debug({ err: error }, 'presence not written'))
  }

  return {
    joined(connectionId, userId, sessionId) {
      here.set(connectionId, { userId, sessionId, inputAtMs: performance.now(), hasInput: false })
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
      one.hasInput = true
      change(connectionId, wasIdle)
    },
    async beat() {
      const kept = await database
        .update(presenceTable)
        .set({ heartbeatAt: sql`now()` })
        .where(and(ofThisProcess, isFresh))
        .returning({ id: presenceTable.connectionId })
      const written = new Set(kept.map((row) => row.id))
      // Never written, or this process, or its database, stood still.
      await insert([...here.keys()].filter((id) => !written.has(id)))
      await leave([...written].filter((id) => !here.has(id)))
      await database
        .delete(presenceTable)
        .where(sql`coalesce(${presenceTable.leftAt}, ${presenceTable.heartbeatAt}) < now() - ${keptFor}`)
    },
    async stop() {
      isStopped = true
      here.clear()
      try {
        // Waits for the round in progress.
        await write({ id: '', isNews: false })
        await database
          .update(presenceTable)
          .set({ leftAt: sql`now()` })
          .where(ofThisProcess)
        database.signals.send('presence')
      } catch (error) {
        log.debug({ err: error }, 'presence not taken back')
      }
    },
  }
}

/** The presence of somebody who is not offline. */
export interface PresenceNow {
  state: Exclude<PresenceState, 'offline'>
  pause?: PauseNow
}

/** The pause that a person is in, as a value of a query; null without one. */
export const pauseOf = (reasonId: SQLWrapper, since: SQLWrapper) => sql<PauseNow | null>`
  case when ${reasonId} is not null then (
    select json_build_object('reasonId', r.id, 'name', r.name, 'icon', r.icon, 'color', r.color,
                             'limitMinutes', r.limit_minutes, 'since', ${isoTime(since)})
      from pause_reasons r where r.id = ${reasonId}) end`

/** Lists the presence of everybody who is not offline. */
export async function listPresence(db: Db): Promise<Map<number, PresenceNow>> {
  const found = await rows<{ id: number; state: PresenceNow['state']; pause: PauseNow | null }>(
    db,
    sql`select h.user_id as id, ${pauseOf(sql`u.pause_reason_id`, sql`u.paused_at`)} as pause,
               case when u.pause_reason_id is not null then 'paused'
                    when u.is_away then 'away'
                    when h.last_input_at < now() - ${idleAfterMs} * interval '1 millisecond' then 'idle'
                    else 'online' end as state
          from (select p.user_id, max(p.last_input_at) as last_input_at from presence p
                 group by p.user_id having bool_or(${isConnected})) h
          left join users u on u.id = h.user_id`,
  )
  return new Map(found.map(({ id, state, pause }) => [id, { state, ...(pause && { pause }) }]))
}

/** Somebody has done something, by whatever way. */
export async function noteInput(db: Db, userId: number): Promise<void> {
  await db.execute(
    sql`update presence set last_input_at = greatest(last_input_at, now())
         where user_id = ${userId} and left_at is null`,
  )
}

/** Counts the users of a role with a live socket. @see decisions §3 Statistics */
export async function countOnline(db: Db, role: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(distinct p.user_id)::int as n from presence p join users u on u.id = p.user_id
         where ${isConnected} and u.role = ${role} and u.is_active and not u.is_blocked
           and u.deleted_at is null`,
  )
  return row?.n ?? 0
}

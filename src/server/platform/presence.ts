import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { presence as presenceTable } from '#server/schema/live.ts'
import { type Database, type Db, rows } from './db.ts'
import type { Log } from './log.ts'

/** Who has a socket open, over all instances: rows that their process keeps fresh. */
export interface Presence {
  joined(connectionId: string, userId: number): void
  left(connectionId: string): void
  active(connectionId: string): void
  /** Every 30 s: says that the sockets of this process still live. */
  beat(): Promise<void>
  stop(): Promise<void>
}

/** Three missed beats: the process that wrote the row is gone. */
const staleAfter = sql`now() - interval '90 seconds'`

export function createPresence(database: Database, log: Log): Presence {
  const processId = randomUUID()
  let last: Promise<unknown> = Promise.resolve()
  /** In order, so that a quick leave never comes before its join. */
  const write = (work: () => Promise<unknown>) => {
    last = last.then(work).catch((error: unknown) => log.debug({ err: error }, 'presence not written'))
  }
  const of = (connectionId: string) => eq(presenceTable.connectionId, connectionId)
  return {
    joined: (connectionId, userId) =>
      write(() =>
        database.insert(presenceTable).values({ connectionId, processId, userId }).onConflictDoNothing(),
      ),
    left: (connectionId) => write(() => database.delete(presenceTable).where(of(connectionId))),
    active: (connectionId) =>
      write(() =>
        database
          .update(presenceTable)
          .set({ lastInputAt: sql`now()` })
          .where(of(connectionId)),
      ),
    async beat() {
      await database
        .update(presenceTable)
        .set({ heartbeatAt: sql`now()` })
        .where(eq(presenceTable.processId, processId))
      await database.delete(presenceTable).where(sql`${presenceTable.heartbeatAt} < ${staleAfter}`)
    },
    async stop() {
      write(() => database.delete(presenceTable).where(eq(presenceTable.processId, processId)))
      await last
    },
  }
}

/** The ids, of those given, with a living socket anywhere. */
export async function onlineUsers(db: Db, userIds: number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const found = await db
    .selectDistinct({ userId: presenceTable.userId })
    .from(presenceTable)
    .where(and(inArray(presenceTable.userId, userIds), sql`${presenceTable.heartbeatAt} >= ${staleAfter}`))
  return new Set(found.map((row) => row.userId))
}

/** How many users of a role have a living socket. @see decisions §3 Statistics */
export async function countOnline(db: Db, role: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(distinct p.user_id)::int as n from presence p join users u on u.id = p.user_id
         where p.heartbeat_at >= ${staleAfter} and u.role = ${role} and u.is_active and not u.is_blocked
           and u.deleted_at is null`,
  )
  return row?.n ?? 0
}

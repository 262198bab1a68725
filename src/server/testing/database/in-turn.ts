import { type SQL, sql } from 'drizzle-orm'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { eventually } from '#server/testing/eventually.ts'

/**
 * Runs acts that need the same lock in this order: each begins while the one before it has or awaits the
 * lock, so what it reads before it has it, it reads as it was before all of them.
 * @param lock a statement that takes the lock
 * @returns what came of each
 */
export async function inTurn<T extends unknown[]>(
  database: Database,
  lock: SQL,
  ...acts: { [Index in keyof T]: () => Promise<T[Index]> }
): Promise<{ [Index in keyof T]: PromiseSettledResult<T[Index]> }> {
  const begun: Promise<unknown>[] = []
  await inTransaction(database, async (db) => {
    await db.execute(lock)
    const [own] = await rows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`)
    const listWaiting = () =>
      rows(
        database,
        sql`with recursive behind as (
              select ${own?.pid}::int as pid
              union
              select a.pid from pg_stat_activity a join behind b on b.pid = any(pg_blocking_pids(a.pid)))
            select a.query from behind join pg_stat_activity a using (pid) where pid <> ${own?.pid}::int`,
      )
    for (const act of acts) {
      const acting = act()
      begun.push(acting)
      const early = acting.then((answer) => {
        throw new Error(`an act did without the lock: ${JSON.stringify(answer)?.slice(0, 1000)}`)
      })
      // What runs beside them may wait behind one of them, too.
      const areThere = ({ length }: unknown[]) => length >= begun.length
      await Promise.race([eventually(listWaiting, areThere), early])
    }
  })
  return (await Promise.allSettled(begun)) as never
}

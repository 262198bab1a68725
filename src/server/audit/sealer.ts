import { sql } from 'drizzle-orm'
import { type Database, inTransaction, rows, tableOf, type Tx } from '#server/platform/database/db.ts'
import { tryLockName } from '#server/platform/database/locks.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker, type Worker } from '#server/platform/work/worker.ts'
import { contentOf, hashOf } from './chain.ts'

/** How many rows one transaction seals. */
const batchSize = 1000

/** A row that counts repetitions is open for a minute. */
const isDue = sql`l.position is null
  and (l.repeat_key is null or l.created_at <= app_now() - interval '1 minute')`

/**
 * Gives the rows of the log their places in the chain, about a second after they were written. Of all
 * instances one works at a time, under a named lock; writers never wait for it. Rows get their places in the
 * order in which they are found committed, by id within a pass, so a transaction that takes long only gets a
 * later place, and no clock decides.
 */
export function startAuditSealer(database: Database, log: Log, everyMs = 1000): Worker {
  return createWorker({
    name: 'audit',
    database,
    log,
    pollMs: everyMs,
    async work() {
      const [due] = await rows(database, sql`select 1 from audit_logs l where ${isDue} limit 1`)
      if (!due) return 'idle'
      return (await sealRows(database)) === batchSize ? 'more' : 'idle'
    },
  })
}

/**
 * Seals the oldest rows that are due. Position, hash and head are written in one transaction, so a crash
 * leaves them as they were.
 * @returns how many; 0 also when another instance is sealing
 */
export async function sealRows(database: Database): Promise<number> {
  return inTransaction(database, async (db) => {
    return (await tryLockName(db, 'audit')) ? sealLocked(db) : 0
  })
}

async function sealLocked(db: Tx): Promise<number> {
  const [head] = await rows<{ position: number; hash: string }>(
    db,
    sql`select position, hash from audit_head where id = 1`,
  )
  if (!head) throw new Error('the head of the audit log is gone: see docs/operations.md')
  // Whoever counts a repetition right now holds its row, which waits for the next pass.
  const due = await rows<{ id: number; content: string }>(
    db,
    sql`select l.id, ${contentOf} as content from audit_logs l where ${isDue}
         order by l.id limit ${batchSize} for update skip locked`,
  )
  if (due.length === 0) return 0
  let { position, hash } = head
  const sealed = due.map(({ id, content }) => {
    position++
    hash = hashOf(hash, position, content)
    return { id, position, hash }
  })
  await db.execute(
    sql`update audit_logs l set position = s.position, hash = s.hash, repeat_key = null
          from ${tableOf('s', sealed, { id: 'int', position: 'int', hash: 'text' })} where l.id = s.id`,
  )
  await db.execute(
    sql`update audit_head set position = ${position}, hash = ${hash}, sealed_at = app_now() where id = 1`,
  )
  return due.length
}

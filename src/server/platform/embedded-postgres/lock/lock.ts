import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The key of the folder's lock: two arbitrary numbers that nothing else uses. */
const lockKey = [1_113_673_795, 1] as const
/** Taken in addition by a holder that was asked to stop, so that others know that waiting is worthwhile. */
const leavingKey = [lockKey[0], 2] as const

/** `taken`, or the application_name of the holder and whether it is about to end. */
export type LockResult = { kind: 'taken' } | { kind: 'busy'; holder: string; isLeaving: boolean }

/** A holder that was asked to stop announces it within 150 ms. */
export const leavingCheckMs = 150
const patienceMs = 400
const patienceWithLeavingMs = 5000
const pollMs = 25

/** Our name for other programs: program, pid, host. PostgreSQL keeps 63 bytes of it. */
export function applicationNameOf(program: string): string {
  return `${program.slice(0, 24)} ${process.pid} ${hostname()}`.slice(0, 63)
}

/** Formats `'balcao 123 maquina'` for people. Pure. */
export function describeHolder(applicationName: string): string {
  const match = /^(.+) (\d+) (\S+)$/.exec(applicationName)
  return match
    ? `${match[1]}, processo ${match[2]}, máquina ${match[3]}`
    : applicationName || 'outro programa'
}

/**
 * Takes the folder's lock for the duration of this session. Waits 5 s for a holder that is about to end, as
 * in a restart, and 0.4 s for any other.
 */
export async function takeLock(client: pg.Client, stopRequested: () => boolean): Promise<LockResult> {
  const start = performance.now()
  for (;;) {
    const result = await tryLock(client)
    if (result.kind === 'taken' || stopRequested()) return result
    if (performance.now() - start > (result.isLeaving ? patienceWithLeavingMs : patienceMs)) return result
    await sleep(pollMs)
  }
}

/** Announces that this session is about to release the lock. */
export async function announceLeaving(client: pg.Client): Promise<void> {
  await client.query('select pg_try_advisory_lock($1, $2)', [...leavingKey])
}

/** Takes the lock only if it is free. */
export async function tryLock(client: pg.Client): Promise<LockResult> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    ...lockKey,
  ])
  return rows[0]?.taken ? { kind: 'taken' } : { kind: 'busy', ...(await findHolder(client)) }
}

async function findHolder(client: pg.Client): Promise<{ holder: string; isLeaving: boolean }> {
  const { rows } = await client.query<{ objid: string; name: string }>(
    `select l.objid::text as objid, a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = $1::bigint::oid
        and l.database = (select oid from pg_database where datname = current_database())`,
    [lockKey[0]],
  )
  const of = (key: number) => rows.find((row) => row.objid === String(key))
  return { holder: of(lockKey[1])?.name ?? '', isLeaving: of(leavingKey[1]) !== undefined }
}

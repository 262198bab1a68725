import { hostname } from 'node:os'
import pg from 'pg'

/** Any two numbers will do, as long as nobody else takes them: the life lock of the folder's program. */
const lockKey = [1_113_673_795, 1] as const

/** `taken`, or the application_name of the program that has it. */
export type LockResult = { kind: 'taken' } | { kind: 'busy'; holder: string }

/** How we are named to others: program, pid, host; PostgreSQL keeps 63 bytes of it. */
export function applicationNameOf(program: string): string {
  return `${program.slice(0, 24)} ${process.pid} ${hostname()}`.slice(0, 63)
}

/** `'balcao 123 maquina'` as people read it. Pure. */
export function describeHolder(applicationName: string): string {
  const match = /^(.+) (\d+) (\S+)$/.exec(applicationName)
  return match
    ? `${match[1]}, processo ${match[2]}, máquina ${match[3]}`
    : applicationName || 'outro programa'
}

/** Takes the folder's lock for the life of this session; a holder gets `waitMs` to go away (a restart). */
export async function takeLock(client: pg.Client, waitMs: number): Promise<LockResult> {
  try {
    await client.query(`set lock_timeout = ${waitMs}`)
    await client.query('select pg_advisory_lock($1, $2)', [...lockKey])
    await client.query('set lock_timeout = 0')
    return { kind: 'taken' }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') throw error
    return { kind: 'busy', holder: await findHolder(client) }
  }
}

/** Takes the lock only if it is free at once. */
export async function tryLock(client: pg.Client): Promise<LockResult> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    ...lockKey,
  ])
  return rows[0]?.taken ? { kind: 'taken' } : { kind: 'busy', holder: await findHolder(client) }
}

async function findHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.objsubid = 2
        and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid
        and l.database = (select oid from pg_database where datname = current_database())`,
    [...lockKey],
  )
  return rows[0]?.name ?? ''
}

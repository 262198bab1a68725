import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { type Installation, signIn } from '../support/installation.ts'
import { call, differing, ended, listBackups, measure, whole } from './runs.ts'

export interface Killed {
  kills: number
  /** How often the restore had been applied already. */
  applied: number
  faults: string[]
}

const isAtWork = async ({ database }: Installation) =>
  (
    await rows(
      database,
      sql`select from job_runs where name = 'maintenance' and state in ('queued', 'running')`,
    )
  ).length > 0

/**
 * Ends the run that the program has died with: it does not continue automatically, and the next can begin.
 */
async function forgetRun({ database }: Installation): Promise<void> {
  await database.execute(sql`delete from pgboss.job where name = 'maintenance'`)
  await database.execute(
    sql`update job_runs set state = 'failed', finished_at = now()
         where name = 'maintenance' and state in ('queued', 'running')`,
  )
}

async function revive(at: Installation): Promise<void> {
  await at.program.restart()
  at.token = (await signIn(at.program.url)).token
}

/** Kills the program at any moment of a backup: what it was making is never completed. */
export async function killBackups(at: Installation, kills: number, longestMs: number, random: Random) {
  const faults: string[] = []
  for (let n = 0; n < kills; n++) {
    const { id } = await call<Backup>(at, 'POST', 'backup', { name: `Morto ${n}`, type: 'complete' })
    await sleep(Math.floor(random() * longestMs))
    const wasAtWork = await isAtWork(at)
    await at.program.kill()
    const [row] = await rows<{ status: string }>(
      at.database,
      sql`select status from maintenance_backups where id = ${id}`,
    )
    const wasCompleted = row?.status === 'completed'
    await forgetRun(at)
    await revive(at)
    const after = (await listBackups(at)).find((one) => one.id === id)
    const expected = wasCompleted ? 'completed' : 'failed'
    if (after?.status !== expected)
      faults.push(`killed ${wasAtWork ? 'while it worked' : 'afterwards'}: ${after?.status}, not ${expected}`)
  }
  return { kills, faults }
}

/**
 * Kills the program at any moment of a restore of what `remove` deletes: the tables are as before or as
 * afterwards, and the next restore works.
 */
export async function killRestores(
  at: Installation,
  backup: Backup,
  {
    kills,
    longestMs,
    random,
    remove,
  }: { kills: number; longestMs: number; random: Random; remove: () => Promise<void> },
): Promise<Killed> {
  const faults: string[] = []
  let applied = 0
  const after = await measure(at)
  await remove()
  const before = await measure(at)
  for (let n = 0; n < kills; n++) {
    await call(at, 'POST', `restore/${backup.id}`, whole)
    await sleep(Math.floor(random() * longestMs))
    await at.program.kill()
    const found = await measure(at)
    const isOld = differing(found, before).length === 0
    const isNew = differing(found, after).length === 0
    if (!isOld && !isNew)
      faults.push(`kill ${n + 1}: neither old nor new: ${differing(found, before).join('; ')}`)
    if (isNew) applied += 1
    await forgetRun(at)
    await revive(at)
    if (isNew) await remove()
  }
  await call(at, 'POST', `restore/${backup.id}`, whole)
  const last = await ended(at, 'restore')
  if (last.state !== 'done') faults.push(`the next restore ${last.state}: ${last.error}`)
  faults.push(...differing(await measure(at), after))
  return { kills, applied, faults }
}

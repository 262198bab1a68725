import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backup, MaintenanceRun, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { backedList } from '#server/maintenance/archive/tables.ts'
import { rowsOf } from '#server/maintenance/backup/make.ts'
import { read } from '../support/http.ts'
import type { Installation } from '../support/installation.ts'

export const call = <Reply>({ program, token }: Installation, method: string, path: string, body?: unknown) =>
  read<Reply>(`${program.url}/api/maintenance/${path}`, {
    method,
    token,
    ...(body !== undefined && { body }),
  })

export const listBackups = (at: Installation) => call<Backup[]>(at, 'GET', 'backups')

/** The last run of the kind, once no run waits or works. */
export async function ended(at: Installation, kind: MaintenanceRun['kind']): Promise<MaintenanceRun> {
  const deadline = performance.now() + 600_000
  for (;;) {
    const { runs } = await call<MaintenanceStats>(at, 'GET', 'stats')
    const run = runs.find((one) => one.kind === kind)
    if (run && runs.every(({ state }) => state !== 'queued' && state !== 'running')) return run
    if (performance.now() > deadline) throw new Error(`the ${kind} never ends: ${JSON.stringify(run)}`)
    await sleep(100)
  }
}

/** Waits until a run of the kind is at work, or over. */
async function begun(at: Installation, kind: MaintenanceRun['kind']): Promise<void> {
  for (;;) {
    const { runs } = await call<MaintenanceStats>(at, 'GET', 'stats')
    if (runs.some((one) => one.kind === kind && (one.finishedAt !== null || one.step !== null))) return
    await sleep(20)
  }
}

/**
 * Makes a backup and waits for its end.
 * @param onBegun called when it is at work
 * @throws Error when it is not completed
 */
export async function makeBackup(at: Installation, name: string, onBegun?: () => void): Promise<Backup> {
  const { id } = await call<Backup>(at, 'POST', 'backup', { name, type: 'complete' })
  if (onBegun) {
    await begun(at, 'backup')
    onBegun()
  }
  await ended(at, 'backup')
  const made = (await listBackups(at)).find((one) => one.id === id)
  if (!made || made.status !== 'completed') throw new Error(`the backup is ${made?.status}: ${made?.error}`)
  return made
}

export const whole = { restoreComplete: true, restoreSettings: true }

/** Of each table of a backup, the number and the hash of the rows that there are now. */
export async function measure({ database }: Installation): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of backedList) {
    const { rows } = await database.pool.query<{ rows: string; hash: string }>(
      `select count(*) as rows, coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)::text as hash
         from (${rowsOf(table)}) r`,
    )
    found[table.name] = `${rows[0]?.rows} rows, ${rows[0]?.hash}`
  }
  return found
}

/** Compares the bytes of the files with their rows. @returns how many there are, and which are wrong */
export async function checkFiles({ database, dataDir }: Installation) {
  const { rows } = await database.pool.query<{ name: string; sha256: string }>(
    'select name, sha256 from files where message_id is not null',
  )
  const wrong: string[] = []
  for (const { name, sha256 } of rows) {
    const hash = createHash('sha256')
    try {
      for await (const chunk of createReadStream(join(dataDir, 'uploads', name.slice(0, 2), name)))
        hash.update(chunk as Buffer)
    } catch {
      wrong.push(`${name} is missing`)
      continue
    }
    if (hash.digest('hex') !== sha256) wrong.push(`${name} differs`)
  }
  return { files: rows.length, wrong }
}

/** The tables in which two measurements differ. */
export const differing = (a: Record<string, string>, b: Record<string, string>): string[] =>
  Object.keys(a).flatMap((table) => (a[table] === b[table] ? [] : [`${table}: ${a[table]} and ${b[table]}`]))

import { Readable } from 'node:stream'
import { create as dispositionOf } from 'content-disposition'
import { eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { type Actor, record, recordRepeated } from '#server/audit/audit.ts'
import { rangeOf } from '#server/media/media.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import type { SendBytes } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { type BackupStore, MemberMissing, readLayout } from '#server/maintenance/archive/store.ts'
import { tarBytes } from '#server/maintenance/archive/tar.ts'
import { beginRun, type MaintenanceWork, type Queue } from '#server/maintenance/runs/begin.ts'
import { maintenanceBackups } from '#server/schema/maintenance.ts'
import { insertBackup, lockBackup, newFolder, readCompleted } from './backups.ts'

/** The row of a backup, and the run that makes it. @returns its id @throws AppError 409, 503 as `beginRun` */
export async function startBackup(
  db: Tx,
  { queue, job }: { queue: Queue | undefined; job: JobDefinition<MaintenanceWork> },
  {
    actor,
    name,
    createdBy,
    isScheduled = false,
  }: { actor: Actor; name: string; createdBy?: number; isScheduled?: boolean },
): Promise<number> {
  const id = await insertBackup(db, { name, isScheduled, createdBy, filePath: await newFolder(db) })
  const runId = await beginRun(db, queue, job, { kind: 'backup', backupId: id, actor }, createdBy)
  await db.update(maintenanceBackups).set({ runId }).where(eq(maintenanceBackups.id, id))
  await record(db, actor, { action: 'maintenance.backup', resourceId: id, details: { name } })
  return id
}

/** @throws AppError 404, 409 while it is in progress, or being restored */
export async function deleteBackup(
  { database, store, log }: { database: Database; store: BackupStore; log: Log },
  who: Who,
  id: number,
): Promise<void> {
  const folder = await inTransaction(database, async (db) => {
    const { name, status, filePath } = await lockBackup(db, id)
    await confirmRights(who, db)
    if (status === 'processing') throw new AppError('maintenance.in_progress')
    const using = await rows(
      db,
      sql`select from maintenance_runs m join job_runs r on r.id = m.id
           where m.backup_id = ${id} and r.state in ('queued', 'running') limit 1`,
    )
    if (using.length > 0) throw new AppError('maintenance.busy')
    await db.delete(maintenanceBackups).where(eq(maintenanceBackups.id, id))
    await record(db, who, { action: 'maintenance.delete', resourceId: id, details: { name } })
    return filePath
  })
  // What remains after a crash here, or in a bucket that is away, the next backup removes.
  await store.remove(folder).catch((error: unknown) => log.warn({ err: error }, 'files of a backup remain'))
}

/**
 * Answers with the file of a backup, or a range of it.
 * @throws AppError 404, 409 unless it is completed, 416 for a range outside the file, 410 when its members
 *   are gone, 503 while the bucket is away
 */
export async function backupAnswer(
  { database, store }: { database: Database; store: BackupStore },
  who: Who,
  id: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<SendBytes> {
  const { name, filePath, size } = await readCompleted(database, id)
  const total = size ?? 0
  const range = rangeOf(request, total)
  const etag = `"${filePath}"`
  void reply.headers({
    'content-disposition': dispositionOf(`${name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')}.tar`, {
      type: 'attachment',
    }),
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
  })
  void reply.type('application/x-tar')
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${total}`)
    throw new AppError('media.bad_range')
  }
  const layout = await readLayout(store, filePath).catch((error: unknown) => {
    if (error instanceof MemberMissing) throw new AppError('maintenance.gone')
    if (error instanceof BucketError) throw new AppError('maintenance.store_away', { retryAfterSeconds: 60 })
    throw error
  })
  // One that is taken piece by piece is one row a minute.
  if (request.method === 'GET')
    await recordRepeated(
      database,
      who,
      { action: 'maintenance.download', resourceId: id, details: { name } },
      String(id),
    )
  request.headers['x-no-compression'] = 'file'
  const { start, end } = range ?? { start: 0, end: total - 1 }
  if (range) void reply.code(206).header('content-range', `bytes ${start}-${end}/${total}`)
  void reply.header('content-length', end - start + 1)
  const read = (member: string, within: { start: number; end: number }) =>
    store.read(filePath, member, within)
  return () =>
    reply.send(Readable.from(tarBytes(layout, read, { start, end: end + 1 }), { objectMode: false }))
}

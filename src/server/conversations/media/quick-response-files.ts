import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { QuickResponseFile, SystemSettings } from '#shared/settings/settings.ts'
import {
  findFile,
  type FileRow,
  keepFile,
  orRemove,
  ownQuickResponseFiles,
  withFile,
} from '#server/media/media.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { getSettings } from '#server/settings/settings.ts'

/** The files that quick responses name belong to the settings from now on. */
export function ownNamedFiles(db: Db, { quickResponses }: SystemSettings): Promise<void> {
  return ownQuickResponseFiles(
    db,
    quickResponses.flatMap(({ file }) => file?.name ?? []),
  )
}

/**
 * Stores a file for a quick response. The sweep deletes it unless the settings name it by then.
 * @throws AppError as `keepFile`
 */
export async function receiveQuickResponseFile(
  store: { database: Database; files: FileStore },
  who: Who,
  request: FastifyRequest,
): Promise<QuickResponseFile> {
  const { name, fileName, kind, sizeBytes } = await withFile(request, (part) => keepFile(store, part))
  await orRemove(store, name, () => confirmRights(who))
  return { name, fileName, mimeType: kind.mimeType, sizeBytes }
}

/**
 * Finds a file that a quick response names.
 * @throws AppError 404 for any other file
 */
export async function findQuickResponseFile(
  database: Database,
  name: string,
): Promise<{ row: FileRow; fileName: string }> {
  const { quickResponses } = await getSettings(database)
  const named = quickResponses.find(({ file }) => file?.name === name)?.file
  const row = named && (await findFile(database, name))
  if (!row || row.messageId !== null) throw new AppError('media.not_found')
  return { row, fileName: named.fileName }
}

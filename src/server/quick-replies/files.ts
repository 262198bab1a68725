import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { findFile, type FileRow, messageTypeOf, ownQuickResponseFiles } from '#server/media/media.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { getSettings } from '#server/settings/settings.ts'

// A file of a quick reply is uploaded first, and belongs to it once the reply that names it is saved.

/**
 * The files that quick replies name, general ones and others, belong to them from now on. Call it once they
 * are written.
 * @param among only these are looked at; absent: all
 */
export async function ownNamedFiles(db: Db, among?: readonly string[]): Promise<void> {
  if (among?.length === 0) return
  // Whoever takes a name away and whoever gives it do so one after the other.
  await lockName(db, 'quick_response_files')
  const { quickResponses } = await getSettings(db)
  const general = quickResponses.flatMap(({ file }) => file?.name ?? [])
  const isNamed = sql`(files.name = any(${sql.param(general)}::text[])
    or files.name in (select q.file ->> 'name' from quick_replies q where q.file is not null))`
  await ownQuickResponseFiles(db, isNamed, among)
}

/**
 * Finds a file that a general quick response names.
 * @throws AppError 404 for any other file
 */
export async function findGeneralFile(
  database: Database,
  name: string,
): Promise<{ row: FileRow; fileName: string }> {
  const { quickResponses } = await getSettings(database)
  const named = quickResponses.find(({ file }) => file?.name === name)?.file
  if (!named) throw new AppError('media.not_found')
  return { row: await findReplyFile(database, name), fileName: named.fileName }
}

/** @throws AppError 404 for a file that is not there, or of a message */
export async function findReplyFile(db: Db, name: string): Promise<FileRow> {
  const row = await findFile(db, name)
  if (!row || row.messageId !== null) throw new AppError('media.not_found')
  return row
}

/**
 * A file as a new or changed reply has it: with its size and kind as they are stored.
 * @param mayName whether somebody who has no such file may name it: one that a reply has that they see
 * @throws AppError 422 for one that is not there or is of others, and for a voice that is no sound
 */
export async function expectFile(
  db: Db,
  file: QuickResponseFile,
  mayName: (name: string) => Promise<boolean>,
): Promise<QuickResponseFile> {
  const row = await findFile(db, file.name)
  const isFree =
    row &&
    row.messageId === null &&
    row.contactId === null &&
    row.userId === null &&
    !row.isOfMacro &&
    !row.isErased
  if (!isFree || (row.isQuickResponse && !(await mayName(file.name))))
    throw new AppError('quick_replies.no_file')
  const { name, fileName, voiceSeconds } = file
  const { mimeType, sizeBytes } = row
  const isVoice = voiceSeconds !== undefined
  if (isVoice && messageTypeOf({ mimeType, extension: '' }, true) !== 'audio')
    throw new AppError('quick_replies.no_voice')
  return { name, fileName, mimeType, sizeBytes, ...(isVoice && { voiceSeconds }) }
}

import { AppError } from '#shared/errors.ts'
import { getFile, getMessageMedia, uploadMedia } from '#shared/messages/media.ts'
import { isPictureType } from '#shared/messages/message-kinds.ts'
import type { Row } from '#shared/endpoint.ts'
import { type FileRow, findFile, isShownPicture, serveFile } from '#server/media/media.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, isDatabaseDown } from '#server/platform/database/db.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { type FileStore, FileTooLarge } from '#server/platform/file-store.ts'
import { getSettings } from '#server/settings/settings.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import { findMessageFor, messageNotFound, noteReading } from '#server/conversations/store/access.ts'
import type { SendReceipt } from '#server/conversations/outgoing/receipts.ts'
import type { MessageRow } from '#server/conversations/store/message-rows.ts'
import { toMessage } from '#server/conversations/store/serializers.ts'
import { downloadName } from './download-name.ts'
import type { MessageFiles } from './message-files.ts'
import { receiveUpload } from './upload.ts'

/** Limit of a file that is fetched when somebody opens it. No gateway sends more in one answer. */
const maxOpenedBytes = 256 * 1_048_576

export function mediaRoutes(
  { route, routeByRow }: Http,
  {
    database,
    files,
    messageFiles,
    sendReceipt,
    log,
  }: { database: Database; files: FileStore; messageFiles: MessageFiles; sendReceipt: SendReceipt; log: Log },
): void {
  const messageFor = async (who: Who, id: number, ofOthers?: Row) => {
    const row = await findMessageFor(database, who, id, ofOthers)
    if (!row) throw messageNotFound()
    return row
  }
  const nameOf = async (message: MessageRow['message'], { mimeType }: FileRow) =>
    downloadName(message, mimeType, (await getSettings(database)).timezone)

  routeByRow(uploadMedia, async ({ who, request, permit }) => {
    const {
      id,
      message: known,
      receipt,
    } = await receiveUpload({ database, files }, who, {
      request,
      permit: (isNote) => permit(isNote ? 'POST /api/media/upload (note)' : 'POST /api/media/upload'),
    })
    sendReceipt(receipt)
    const message = known ?? toMessage(await messageFor(who, id))
    return {
      fileUrl: message.fileUrl ?? '',
      messageType: message.messageType as 'document' | 'note',
      message,
    }
  })

  route(getFile, async ({ params, query, who, request, reply }) => {
    const file = await findFile(database, params.name)
    const row = file?.messageId ? await findMessageFor(database, who, file.messageId) : undefined
    if (!file || !row) throw new AppError('media.not_found')
    await noteReading(database, who, row.conversation)
    if (query.download !== '1') expectDrawable(row, file)
    return serveFile(files, { request, reply }, file, {
      fileName: await nameOf(row.message, file),
      isDownload: query.download === '1',
    })
  })

  routeByRow(getMessageMedia, async ({ params, query, who, request, reply, permit }) => {
    permit('GET /api/media/evolution/{msg of open}')
    const row = await messageFor(
      who,
      params.messageId,
      getMessageMedia.rows['GET /api/media/evolution/{msg of archived}'],
    )
    await noteReading(database, who, row.conversation)
    const { message } = row
    const file = await fetchFile(message.id)
    if (!file) throw new AppError('media.not_found')
    if (query.download !== '1') expectDrawable(row, file)
    return serveFile(files, { request, reply }, file, {
      fileName: await nameOf(message, file),
      isDownload: query.download === '1',
    })
  })

  async function fetchFile(messageId: number): Promise<FileRow | undefined> {
    try {
      return await messageFiles.fetchFile(messageId, maxOpenedBytes)
    } catch (error) {
      if (isDatabaseDown(error) || isDiskFull(error) || error instanceof BucketError) throw error
      if (error instanceof FileTooLarge) throw new AppError('media.too_large_here')
      log.warn({ err: error, messageId }, 'media not fetched')
      throw new AppError('media.unavailable')
    }
  }
}

/**
 * The console draws the file of a picture, and browsers draw what they can, whatever type it is said to have.
 * @throws AppError 415 for what they should not
 */
function expectDrawable({ message }: MessageRow, { mimeType }: FileRow): void {
  if (isPictureType(message.messageType) && !isShownPicture(mimeType)) throw new AppError('media.not_shown')
}

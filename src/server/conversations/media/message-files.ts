import { eq } from 'drizzle-orm'
import { maxFileSize, refusedExtensionOf } from '#shared/messages/media.ts'
import { isMediaType, isPictureType } from '#shared/messages/message-kinds.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import {
  endFetch,
  eraseFile,
  type FileRow,
  findFileOf,
  insertFile,
  isShownPicture,
  kindOfFile,
  ownFile,
} from '#server/media/media.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { type FileStore, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { DiskFull } from '#server/platform/file-store/disk-room.ts'
import { messages } from '#server/schema/conversations/conversations.ts'
import { changeMessage } from '#server/conversations/store/change.ts'
import { lockMessage } from '#server/conversations/store/lock.ts'

/** The files of clients' messages. Concurrent calls for one message share one fetch from the gateway. */
export interface MessageFiles {
  /**
   * Fetches the file from the gateway unless it is stored already.
   * @returns undefined for a message that has no file, or whose file is not kept
   * @throws FileTooLarge above `maxBytes`; DiskFull; the gateway's error
   */
  fetchFile(messageId: number, maxBytes: number): Promise<FileRow | undefined>
  /** Whether files can be stored at the moment. */
  hasRoom(): Promise<boolean>
}

export function createMessageFiles({
  database,
  gateway,
  files,
}: {
  database: Database
  gateway: Gateway
  files: FileStore
}): MessageFiles {
  const fetches = new Map<number, { maxBytes: number; file: Promise<FileRow | undefined> }>()

  const fetchOnce = async (messageId: number, maxBytes: number) => {
    const known = await findFileOf(database, messageId)
    if (known) return known
    const message = await findSource(database, messageId)
    if (!message?.waId || !isMediaType(message.messageType) || message.metadata.isErased) return undefined
    if (refusedExtensionOf(message)) return undefined
    // Known before the gateway fetches and decrypts it in vain.
    if (!(await files.hasRoom())) throw new DiskFull('no room for a file of the gateway')
    const { taken: spooled } = await gateway.fetchMedia(
      database,
      message.instanceId,
      message.waId,
      async (bytes) => {
        await failpoint('media.fetching')
        return files.spool(bytes, maxBytes)
      },
    )
    try {
      return await storeFile(database, files, messageId, spooled)
    } finally {
      await spooled.drop()
    }
  }

  return {
    hasRoom: () => files.hasRoom(),
    async fetchFile(messageId, maxBytes) {
      for (let running = fetches.get(messageId); running; running = fetches.get(messageId)) {
        if (running.maxBytes >= maxBytes) return running.file
        // The running fetch may fail by its lower limit. If it succeeds, the stored file is found below.
        await running.file.catch(() => undefined)
      }
      const started = fetchOnce(messageId, maxBytes).finally(() => fetches.delete(messageId))
      fetches.set(messageId, { maxBytes, file: started })
      return started
    },
  }
}

async function findSource(db: Db, id: number) {
  const [row] = await db
    .select({
      instanceId: messages.instanceId,
      waId: messages.whatsappMessageId,
      messageType: messages.messageType,
      fileName: messages.fileName,
      metadata: messages.metadata,
    })
    .from(messages)
    .where(eq(messages.id, id))
  return row
}

/** A file above `maxFileSize` is stored for a while only, and not recorded in the message. */
async function storeFile(
  database: Database,
  files: FileStore,
  messageId: number,
  spooled: Spooled,
): Promise<FileRow | undefined> {
  const { sizeBytes, sha256 } = spooled
  if (sizeBytes === 0) throw new Error('the gateway gave an empty file')
  const { mimeType } = await kindOfFile(spooled)
  const name = newFileName()
  const isPassing = sizeBytes > maxFileSize
  await insertFile(database, { name, sizeBytes, mimeType, sha256, isPassing })
  await files.keep(name, spooled)
  await failpoint('media.kept')
  await inTransaction(database, async (db) => {
    const message = await lockMessage(db, messageId)
    if (!message) return
    // Its contact was anonymized while the file was fetched.
    if (message.metadata.isErased) return eraseFile(db, name)
    await endFetch(db, messageId)
    // Another instance may have been faster. The sweep deletes the spare file.
    if (!(await ownFile(db, name, messageId))) return
    const isDownloadOnly = isPictureType(message.messageType) && !isShownPicture(mimeType)
    const changes = {
      ...(!isPassing && { fileUrl: fileUrlOf(name), fileSize: sizeBytes }),
      ...(isDownloadOnly && { metadata: { ...message.metadata, isDownloadOnly } }),
    }
    if (Object.keys(changes).length > 0) await changeMessage(db, message, changes)
    // Its words may have waited for it.
    if (message.messageType === 'audio') db.signal('transcriptions')
  })
  return findFileOf(database, messageId)
}

/** The path at which a stored file is served. */
export function fileUrlOf(name: string): string {
  return `/api/media/files/${name}`
}

import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import { blockedExtensionOf, finalFileName, maxUploadBytes } from '#shared/messages/media.ts'
import type { Database } from '#server/platform/database/db.ts'
import { kindOfFile, programIn, withExtension } from './file-kind.ts'
import { deleteSpareFiles, insertFile } from './queries.ts'
import { type FileStore, FileTooLarge, newFileName, type Spooled } from '#server/platform/file-store.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { bytesOfPart, nameOfPart, withFile } from '#server/platform/http/bodies/form-file.ts'

/** An uploaded file in the file store. */
export interface KeptFile {
  /** Its name in the file store. */
  name: string
  /** The name shown to people, with the extension of its actual type. */
  fileName: string
  kind: Awaited<ReturnType<typeof kindOfFile>>
  sizeBytes: number
}

/** Stores the file of a form. @throws AppError as `keepBytes`, and 400 when the form is cut off */
export function keepFile(
  deps: { database: Database; files: FileStore },
  part: MultipartFile,
  rules?: FileRules,
): Promise<KeptFile> {
  return keepBytes(deps, nameOfPart(part), bytesOfPart(part), rules)
}

/** What is asked of a file beyond the usual. */
export interface FileRules {
  maxBytes: number
  tooLarge: ErrorCode
  /** Throws for a file that is not wanted. */
  check(head: Buffer): void
}

/**
 * Checks a file by its name and its bytes and stores it. Its row has no owner yet; the sweep deletes files
 * that get none.
 * @throws AppError 413 too large, 422 empty or of a blocked type
 */
export async function keepBytes(
  { database, files }: { database: Database; files: FileStore },
  given: string,
  bytes: AsyncIterable<Uint8Array>,
  rules?: FileRules,
): Promise<KeptFile> {
  const fileName = finalFileName(given)
  refuseExtension(blockedExtensionOf(fileName))
  const spooled = await spool(files, bytes, rules)
  try {
    const { sizeBytes, sha256 } = spooled
    if (sizeBytes === 0) throw new AppError('media.empty')
    rules?.check(spooled.head)
    const kind = await kindOfFile(spooled)
    refuseExtension(programIn(kind))
    const name = newFileName()
    await insertFile(database, { name, sizeBytes, mimeType: kind.mimeType, sha256 })
    await files.keep(name, spooled)
    return { name, fileName: withExtension(fileName, kind), kind, sizeBytes }
  } finally {
    await spooled.drop()
  }
}

/**
 * Sends a stored file. Where that is refused, the file is removed at once; what fails otherwise may have been
 * committed, and is left to the sweep.
 */
export async function orRemove<Sent>(
  { database, files }: { database: Database; files: FileStore },
  name: string,
  send: () => Promise<Sent>,
): Promise<Sent> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof AppError) {
      await files.remove(name)
      await deleteSpareFiles(database, [name])
    }
    throw error
  }
}

/**
 * Stores the file of a form, for something that will name it. The sweep deletes it unless that is done by
 * then.
 * @throws AppError as `keepFile`
 */
export async function receiveFile(
  store: { database: Database; files: FileStore },
  who: Who,
  request: FastifyRequest,
): Promise<{ name: string; fileName: string; mimeType: string; sizeBytes: number }> {
  const { name, fileName, kind, sizeBytes } = await withFile(request, (part) => keepFile(store, part))
  await orRemove(store, name, () => confirmRights(who))
  return { name, fileName, mimeType: kind.mimeType, sizeBytes }
}

function refuseExtension(ext: string | undefined): void {
  if (ext !== undefined) throw new AppError('media.blocked', { values: { ext } })
}

async function spool(
  files: FileStore,
  bytes: AsyncIterable<Uint8Array>,
  rules: FileRules | undefined,
): Promise<Spooled> {
  try {
    return await files.spool(bytes, rules?.maxBytes ?? maxUploadBytes)
  } catch (error) {
    if (error instanceof FileTooLarge) throw new AppError(rules?.tooLarge ?? 'media.too_large')
    throw error
  }
}

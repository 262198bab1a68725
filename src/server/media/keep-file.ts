import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import { blockedExtensionOf, finalFileName, maxUploadBytes } from '#shared/messages/media.ts'
import type { Database } from '#server/platform/database/db.ts'
import { kindOfFile, programIn, withExtension } from './file-kind.ts'
import { deleteSpareFiles, insertFile } from './queries.ts'
import { type FileStore, FileTooLarge, newFileName, type Spooled } from '#server/platform/file-store.ts'

/** An uploaded file in the file store. */
export interface KeptFile {
  /** Its name in the file store. */
  name: string
  /** The name shown to people, with the extension of its actual type. */
  fileName: string
  kind: Awaited<ReturnType<typeof kindOfFile>>
  sizeBytes: number
}

/**
 * Passes the file of a form to `handle` as a stream. What `handle` leaves unread is discarded.
 * @throws AppError 400 without a file, or when the body is not a form
 */
export async function withFile<Result>(
  request: FastifyRequest,
  handle: (part: MultipartFile) => Promise<Result>,
): Promise<Result> {
  // One byte above the limit, so that the spool notices a file that is too large.
  const limits = { fileSize: maxUploadBytes + 1, files: 1, fields: 20 }
  const part = await request.file({ limits }).catch((error: unknown) => Promise.reject(badForm(error)))
  if (!part) throw new AppError('media.missing')
  try {
    return await handle(part)
  } finally {
    part.file.resume()
  }
}

/** Stores the file of a form. @throws AppError as `keepBytes`, and 400 when the form is cut off */
export function keepFile(
  deps: { database: Database; files: FileStore },
  { filename, file }: MultipartFile,
  rules?: FileRules,
): Promise<KeptFile> {
  return keepBytes(deps, nameIn(filename), bytesOf(file), rules)
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

/** For a truncated or malformed form, of which the parser's own errors may carry no status. */
const badForm = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? error : new AppError('request.invalid')

/** Turns errors of the request into 400, as opposed to those of the disk. */
async function* bytesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw badForm(error)
  }
}

/** Browsers encode quotation marks and line breaks in a form's file name like this. */
const nameIn = (filename: string) => filename.replace(/%(?:22|0A|0D)/g, decodeURIComponent)

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

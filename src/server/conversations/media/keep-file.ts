import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { blockedExtensionOf, finalFileName, maxUploadBytes } from '#shared/media.ts'
import { insertFile, kindOfFile, programIn, withExtension } from '#server/media/media.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type FileStore, FileTooLarge, newFileName, type Spooled } from '#server/platform/file-store.ts'

/** A file as it was taken in. */
export interface KeptFile {
  /** In the file store. */
  name: string
  /** As it is shown, with the ending of what it is. */
  fileName: string
  kind: Awaited<ReturnType<typeof kindOfFile>>
  sizeBytes: number
}

/**
 * The file of a form, which is read as it comes, whatever becomes of it.
 * @throws AppError 400 without a file, or when the form is none
 */
export async function withFile<Result>(
  request: FastifyRequest,
  take: (part: MultipartFile) => Promise<Result>,
): Promise<Result> {
  // One byte more than is allowed, so that the spool sees that it is too much.
  const limits = { fileSize: maxUploadBytes + 1, files: 1, fields: 20 }
  const part = await request.file({ limits }).catch((error: unknown) => Promise.reject(badForm(error)))
  if (!part) throw new AppError('media.missing')
  try {
    return await take(part)
  } finally {
    part.file.resume()
  }
}

/**
 * Judges a file by its name and its bytes and keeps it; its row belongs to nobody yet, and is swept away if that stays so.
 * @throws AppError 413 too large, 422 empty or of a kind that is refused
 */
export async function keepFile(
  { database, files }: { database: Database; files: FileStore },
  part: MultipartFile,
): Promise<KeptFile> {
  const fileName = finalFileName(nameIn(part.filename))
  refuseExtension(blockedExtensionOf(fileName))
  const spooled = await spool(files, bytesOf(part.file))
  try {
    const { sizeBytes, sha256, head } = spooled
    if (sizeBytes === 0) throw new AppError('media.empty')
    const kind = await kindOfFile(head)
    refuseExtension(programIn(kind))
    const name = newFileName()
    await insertFile(database, { name, sizeBytes, mimeType: kind.mimeType, sha256 })
    await files.keep(name, spooled)
    return { name, fileName: withExtension(fileName, kind), kind, sizeBytes }
  } finally {
    await spooled.drop()
  }
}

/** A form that ends in its middle, or is none: the parser's own words for it carry no status. */
const badForm = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? error : new AppError('request.invalid')

/** Told apart from a disk that fails. */
async function* bytesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (error) {
    throw badForm(error)
  }
}

/** Browsers write quotation marks and line breaks in a form's file name so. */
const nameIn = (filename: string) => filename.replace(/%(?:22|0A|0D)/g, decodeURIComponent)

function refuseExtension(ext: string | undefined): void {
  if (ext !== undefined) throw new AppError('media.blocked', { values: { ext } })
}

async function spool(files: FileStore, bytes: AsyncIterable<Uint8Array>): Promise<Spooled> {
  try {
    return await files.spool(bytes, maxUploadBytes)
  } catch (error) {
    if (error instanceof FileTooLarge) throw new AppError('media.too_large')
    throw error
  }
}

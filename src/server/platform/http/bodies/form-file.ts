import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { maxUploadBytes } from '#shared/messages/media.ts'

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

/** For a truncated or malformed form, of which the parser's own errors may carry no status. */
const badForm = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? error : new AppError('request.invalid')

/**
 * The bytes of the file. Turns errors of the request into 400, as opposed to those of the disk. Whoever stops
 * in the middle leaves the rest to be discarded: a destroyed file would never be read to its end, and what
 * comes next on the same connection would wait behind it.
 */
export async function* bytesOfPart({ file }: MultipartFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw badForm(error)
  }
}

/** Browsers encode quotation marks and line breaks in a form's file name like this. */
export const nameOfPart = ({ filename }: MultipartFile): string =>
  filename.replace(/%(?:22|0A|0D)/g, decodeURIComponent)

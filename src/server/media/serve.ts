import { create as dispositionOf } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { AppError } from '#shared/errors.ts'
import { finalFileName } from '#shared/messages/media.ts'
import type { ByteRange, FileStore } from '#server/platform/file-store.ts'
import type { SendBytes } from '#server/platform/http/http.ts'
import { isShown } from './file-kind.ts'

export interface ServedFile {
  name: string
  sizeBytes: number
  mimeType: string
}

/**
 * Answers with a file or the requested range of it. Nothing in it can run: its type is detected from its
 * content, and anything but a plain picture, video or sound is a download.
 * @param fileName the name of the download
 * @param isLasting whether the URL always stands for the same bytes, none of them secret: the browser may
 *   cache it forever
 * @throws AppError 404 when the file store does not have it, 416 for a range outside the file
 * @see security S-23
 */
export async function serveFile(
  store: FileStore,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  file: ServedFile,
  {
    fileName,
    isDownload,
    isLasting = false,
  }: { fileName: string | null; isDownload: boolean; isLasting?: boolean },
): Promise<SendBytes> {
  const isInline = isShown(file.mimeType) && !isDownload
  const etag = `"${file.name}"`
  void reply.headers({
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'content-disposition': dispositionOf(fileName ? finalFileName(fileName) : undefined, {
      type: isInline ? 'inline' : 'attachment',
    }),
    // Cached by the browser only, which revalidates each time whether its user may still see it.
    'cache-control': isLasting ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  })
  void reply.type(isShown(file.mimeType) ? file.mimeType : 'application/octet-stream')
  if (request.headers['if-none-match'] === etag) return () => reply.code(304).send()
  const range = rangeOf(request, file.sizeBytes)
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${file.sizeBytes}`)
    throw new AppError('media.bad_range')
  }
  // Sent as it is: the plugin would label a file that is compressed already as compressed on the way.
  request.headers['x-no-compression'] = 'file'
  const body = await store.read(file.name, range)
  if (!body) throw new AppError('media.not_found')
  if (range)
    void reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
      .header('content-length', range.end - range.start + 1)
  else void reply.code(200).header('content-length', file.sizeBytes)
  return () => reply.send(body)
}

/** A single range; a request for several gets the whole file, as HTTP allows. */
export function rangeOf(
  { headers }: FastifyRequest,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (headers.range === undefined || headers['if-range'] !== undefined) return undefined
  const ranges = parseRange(sizeBytes, headers.range)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

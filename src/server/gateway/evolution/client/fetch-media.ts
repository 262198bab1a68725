import { field, items, text } from '#server/gateway/evolution/parse/values.ts'
import { unwrap } from '#server/gateway/evolution/parse/wrappers.ts'
import { fileInJson } from './file-json.ts'
import { type ClientContext, type Instance, request, requestStream } from './request.ts'

export async function fetchMedia<T>(
  context: ClientContext,
  instance: Instance,
  waId: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<{ taken: T; fileName: string | undefined }> {
  const byId = await open(context, instance, { key: { id: waId } })
  if (byId.bytes) return takeFile(byId.bytes, take)
  const whole = byId.reason.includes(notOfMediaType)
    ? await findUnwrapped(context, instance, waId)
    : undefined
  const byContent = whole && (await open(context, instance, whole))
  if (byContent?.bytes) return takeFile(byContent.bytes, take)
  throw new Error(`getBase64FromMediaMessage answered ${(byContent ?? byId).reason}`)
}

/** How the gateway refuses a message by its id that wraps the file, such as a picture of an album. */
const notOfMediaType = 'not of the media type'

/** @returns the answer that contains the file, or the reason of a refusal */
const open = (context: ClientContext, instance: Instance, message: { key: unknown; message?: unknown }) =>
  requestStream(context, instance, {
    endpoint: '/chat/getBase64FromMediaMessage',
    body: { message },
    timeoutMs: context.times.mediaMs,
  })

async function takeFile<T>(
  answer: AsyncIterable<Buffer>,
  take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<{ taken: T; fileName: string | undefined }> {
  const file = fileInJson(answer, 'base64')
  const taken = await take(file.bytes)
  return { taken, fileName: text(field(file.rest(), 'fileName')) }
}

/** The message in the gateway's record, its content without what wraps it; undefined when it has none. */
async function findUnwrapped(
  context: ClientContext,
  instance: Instance,
  waId: string,
): Promise<{ key: unknown; message: unknown } | undefined> {
  const { status, body } = await request(context, instance, {
    endpoint: '/chat/findMessages',
    body: { where: { key: { id: waId } }, page: 1, offset: 1 },
  })
  const [record] = status < 400 ? items(field(field(body, 'messages'), 'records'), 1) : []
  const { type, value } = unwrap(field(record, 'message'))
  return record === undefined ? undefined : { key: field(record, 'key'), message: { [type]: value } }
}

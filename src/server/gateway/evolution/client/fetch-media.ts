import { field, text } from '#server/gateway/evolution/parse/values.ts'
import { readRefusal, reasonOf } from './answers.ts'
import { fileInJson } from './file-json.ts'
import { type ClientContext, type Instance, requestStream } from './request.ts'

export async function fetchMedia<T>(
  context: ClientContext,
  instance: Instance,
  waId: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
): Promise<{ taken: T; fileName: string | undefined }> {
  const { status, body } = await requestStream(context, instance, {
    endpoint: '/chat/getBase64FromMediaMessage',
    body: { message: { key: { id: waId } } },
    timeoutMs: context.times.mediaMs,
  })
  if (status >= 400) {
    const refusal = await readRefusal(body)
    throw new Error(`getBase64FromMediaMessage answered ${reasonOf(status, refusal)}`)
  }
  const file = fileInJson(body, 'base64')
  const taken = await take(file.bytes)
  return { taken, fileName: text(field(file.rest(), 'fileName')) }
}

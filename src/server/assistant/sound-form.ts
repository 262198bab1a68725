import { randomBytes } from 'node:crypto'
import type { OutgoingCall } from '#server/platform/http/outgoing-http.ts'

/** A sound as it is sent to a server. */
export interface Sound {
  bytes: Uint8Array
  mimeType: string
}

/** By its ending a server tells what a file is; of others it has to look. */
const endings: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
}

/** A form with these fields and the sound as its file. Nothing of who sent it, or when, is in it. */
export function soundForm(
  fields: Readonly<Record<string, string>>,
  { bytes, mimeType }: Sound,
): NonNullable<OutgoingCall['streamed']> {
  const boundary = `form-${randomBytes(18).toString('hex')}`
  const head = (disposition: string, type = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`
  const [kind = ''] = mimeType.split(';')
  const parts: Uint8Array[] = [
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`${head(`name="${name}"`)}${value}\r\n`)),
    Buffer.from(head(`name="file"; filename="audio.${endings[kind] ?? 'ogg'}"`, `Content-Type: ${kind}\r\n`)),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: parts.reduce((sum, part) => sum + part.byteLength, 0),
    // oxlint-disable-next-line typescript/require-await -- what is sent is a stream
    bytes: (async function* () {
      yield* parts
    })(),
  }
}

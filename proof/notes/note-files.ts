import { createHash } from 'node:crypto'
import type { Form } from './office.ts'
import { fileMark } from './wire.ts'

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** A file that no other note has, with the mark at its beginning. */
export const fileOfNote = (mark: string): Buffer => Buffer.from(`${fileMark}${mark} só para a equipe\n`)

/** A file for a client. */
export const replyFile = (mark: string): Buffer => Buffer.from(`${mark} para o cliente\n`)

/** A form as a browser sends it: the fields, then a text file. */
export function fileForm(fields: Readonly<Record<string, string>>, name: string, file: Buffer): Form {
  const boundary = 'prova-0123456789'
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
    'content-type: text/plain\r\n\r\n'
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

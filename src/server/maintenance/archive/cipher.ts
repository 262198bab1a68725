import { createHmac, hkdfSync } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { Readable as NodeReadable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { BackupError } from './backup-error.ts'
import { sameSecret } from '#server/platform/secrets.ts'

/** Loaded when the first member is encrypted, which most processes never do. */
const age = () => import('age-encryption')

/** Encrypts the members of a backup with BACKUP_KEY, an identity of age, and signs its manifest. */
export interface BackupCipher {
  encrypt(plain: Readable): Promise<Readable>
  /** The stream fails when the bytes were changed, cut, or encrypted with another key. */
  decrypt(sealed: Readable): Promise<Readable>
  /** A keyed hash, so that a member does not tell what is in it. */
  nameOf(sha256: string): string
  sign(text: string): string
  isSignedBy(text: string, signature: string): boolean
}

/** @param key `AGE-SECRET-KEY-1…`, as of `age-keygen` */
export function createBackupCipher(key: string): BackupCipher {
  const signing = Buffer.from(hkdfSync('sha256', key, 'balcao', 'backup-signature', 32))
  const hmac = (text: string) => createHmac('sha256', signing).update(text).digest('hex')
  const sign = (text: string) => hmac(`manifest:${text}`)
  const toNode = (stream: unknown) => NodeReadable.fromWeb(stream as ReadableStream)
  const toWeb = (stream: Readable) =>
    NodeReadable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
  return {
    async encrypt(plain) {
      const { Encrypter, identityToRecipient } = await age()
      const encrypter = new Encrypter()
      encrypter.addRecipient(await identityToRecipient(key))
      return toNode(await encrypter.encrypt(toWeb(plain)))
    },
    async decrypt(sealed) {
      const { Decrypter } = await age()
      const decrypter = new Decrypter()
      decrypter.addIdentity(key)
      return toNode(await decrypter.decrypt(toWeb(sealed)))
    },
    nameOf: (sha256) => hmac(`file:${sha256}`),
    sign,
    isSignedBy: (text, signature) => sameSecret(signature, sign(text)),
  }
}

/** Compresses, and encrypts when there is a cipher. */
export async function seal(
  lines: AsyncIterable<string>,
  cipher: BackupCipher | undefined,
): Promise<Readable> {
  const compressed = pipeline(NodeReadable.from(lines, { objectMode: false }), createZstdCompress(), ignore)
  return cipher ? cipher.encrypt(compressed) : compressed
}

/**
 * The reverse of `seal`: the lines, some at a time.
 * @param longest characters of a line: some kilobytes can be packed to a gigabyte without an end
 */
export async function* unseal(
  sealed: Readable,
  cipher: BackupCipher | undefined,
  longest: number,
): AsyncGenerator<readonly string[]> {
  const source = cipher ? await cipher.decrypt(sealed) : sealed
  const text = pipeline(source, createZstdDecompress(), ignore).setEncoding('utf8')
  /** The beginning of a line, in pieces: joined once, when its end is there. */
  let begun: string[] = []
  let length = 0
  for await (const chunk of readable(text)) {
    const lines = chunk.split('\n')
    const rest = lines.pop() ?? ''
    length += (lines[0] ?? rest).length
    if (length > longest) throw new BackupError('O backup está danificado: tem uma linha longa demais')
    if (lines.length > 0) {
      lines[0] = begun.join('') + (lines[0] ?? '')
      begun = []
      length = rest.length
      yield lines
    }
    if (rest !== '') begun.push(rest)
  }
  if (length > 0) throw new BackupError('O backup está cortado')
}

/** Whatever fails here, such as the decompression, tells that the bytes are not what was written. */
async function* readable(text: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (error instanceof BucketError) throw error
    throw new BackupError('O backup não pode ser lido: está danificado, ou cifrado com outra chave')
  }
}

/** The error reaches who reads the last stream. */
function ignore(): void {}

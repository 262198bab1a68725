import type { OpenFile } from './kept-rows.ts'
import { Unreadable } from './refusal.ts'

/** How the bytes of a text are to be read. */
export interface Encoding {
  encoding: 'utf-8' | 'windows-1252'
  hasBom: boolean
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])

/** The first bytes as text, of which the last sign may be half. */
export function headText(head: Buffer, { encoding, hasBom }: Encoding): string {
  return new TextDecoder(encoding).decode(hasBom ? head.subarray(bom.length) : head)
}

const startsWithBom = (head: Buffer): boolean => head.subarray(0, bom.length).equals(bom)

/**
 * Finds out how the bytes of a text are to be read, for which it reads all of them.
 * @param head the first of them
 * @throws Unreadable for a file that is no text
 */
export async function encodingOf(head: Buffer, open: OpenFile): Promise<Encoding> {
  if (controlsIn(head) > head.length * mostControls) throw new Unreadable({ name: 'noText' })
  const isUtf8 = await isAllUtf8(await open())
  return { encoding: isUtf8 ? 'utf-8' : 'windows-1252', hasBom: startsWithBom(head) }
}

/** Exports have stray control characters, bytes of no kind have one in ten. */
const mostControls = 0.01

/** How many bytes are control characters that no line of text needs. */
function controlsIn(bytes: Uint8Array): number {
  let controls = 0
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls++
  return controls
}

async function isAllUtf8(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  const decode = (chunk?: Uint8Array) => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  for await (const chunk of bytes) {
    // No text has one; UTF-16 has one beside every letter.
    if (chunk.includes(0)) throw new Unreadable({ name: 'noText' })
    decode(chunk)
  }
  decode()
  return isUtf8
}

/** The text of a file in pieces, without the byte order mark. */
export async function* textOf(open: OpenFile, { encoding, hasBom }: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  // The decoder of UTF-8 leaves it out itself.
  let skip = hasBom && encoding !== 'utf-8' ? bom.length : 0
  for await (const chunk of await open()) {
    const text = decoder.decode(skip > 0 ? chunk.subarray(skip) : chunk, { stream: true })
    skip = 0
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/**
 * Files to and from the gateway are one long base64 string within JSON. They are streamed in both directions.
 */

const mostRestBytes = 1_048_576

/** A JSON object with one long string, in chunks. */
export interface StreamedJson {
  bytes: AsyncIterable<Uint8Array>
  sizeBytes: number
}

/** A file could not be read whole: the JSON around it broke off, and the other side understood nothing. */
export class UnreadFile extends Error {
  /** Whether the file has another size than it should, which trying again would not change. */
  readonly isDamaged: boolean
  constructor(isDamaged: boolean, options?: ErrorOptions) {
    super(isDamaged ? 'the file has another size than was stored' : 'the file could not be read', options)
    this.isDamaged = isDamaged
  }
}

/**
 * Reading the bytes throws `UnreadFile` before the end of the JSON if the file is not read whole or has not
 * exactly `sizeBytes` bytes.
 */
export function jsonWithFile(
  fields: Record<string, unknown>,
  key: string,
  file: { bytes: AsyncIterable<Uint8Array>; sizeBytes: number },
): StreamedJson {
  const before = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(key)}:"`)
  const after = Buffer.from('"}')
  const base64Bytes = 4 * Math.ceil(file.sizeBytes / 3)
  return {
    sizeBytes: before.length + base64Bytes + after.length,
    bytes: (async function* () {
      yield before
      yield* encoded(whole(file))
      yield after
    })(),
  }
}

async function* whole(file: {
  bytes: AsyncIterable<Uint8Array>
  sizeBytes: number
}): AsyncGenerator<Uint8Array> {
  let read = 0
  try {
    for await (const piece of file.bytes) {
      read += piece.length
      if (read > file.sizeBytes) break
      yield piece
    }
  } catch (error) {
    throw new UnreadFile(false, { cause: error })
  }
  if (read !== file.sizeBytes) throw new UnreadFile(true)
}

/** Encodes whole groups of three bytes; the remainder of a chunk is encoded with the next one. */
async function* encoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    if (whole > 0) yield Buffer.from(all.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

/** An answer that contains a file. */
export interface AnswerWithFile {
  /** The decoded file. Read it to its end before calling `rest`. */
  bytes: AsyncIterable<Buffer>
  /**
   * The rest of the answer, without the file.
   * @throws when the answer has another shape, or was not read to its end
   */
  rest(): unknown
}

/** Reading the file throws when the answer breaks off or contains anything but base64. */
export function fileInJson(answer: AsyncIterable<Uint8Array>, key: string): AnswerWithFile {
  const around = { text: '', isWhole: false }
  return {
    bytes: decoded(longString(answer, key, around)),
    rest() {
      if (!around.isWhole) throw new Error('the answer has no file')
      return JSON.parse(around.text) as unknown
    },
  }
}

/**
 * Yields the chunks of the string under the key, and collects the text around it with an empty string in its
 * place.
 */
async function* longString(
  answer: AsyncIterable<Uint8Array>,
  key: string,
  around: { text: string; isWhole: boolean },
): AsyncGenerator<string> {
  // Within another string the quotes are escaped, so only the key itself matches.
  const begin = new RegExp(`(?<!\\\\)"${key}"\\s*:\\s*"`)
  let state: 'before' | 'inside' | 'after' = 'before'
  for await (const piece of answer) {
    let text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    if (state === 'before') {
      // The key may be split across two chunks.
      const from = Math.max(0, around.text.length - 64)
      around.text += text
      const found = begin.exec(around.text.slice(from))
      if (found) {
        const end = from + found.index + found[0].length
        text = around.text.slice(end)
        around.text = around.text.slice(0, end)
        state = 'inside'
      }
    }
    if (state === 'inside') {
      const end = text.indexOf('"')
      // Some encoders escape slashes.
      yield (end === -1 ? text : text.slice(0, end)).replaceAll('\\', '')
      if (end === -1) continue
      state = 'after'
      around.text += text.slice(end)
    } else if (state === 'after') around.text += text
    if (around.text.length > mostRestBytes) throw new Error('the answer has no file')
  }
  if (state !== 'after') throw new Error('the answer has no file')
  around.text = Buffer.from(around.text, 'latin1').toString('utf8')
  around.isWhole = true
}

async function* decoded(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let rest = ''
  let hasEnded = false
  for await (const piece of pieces) {
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(piece) || (hasEnded && piece.replaceAll('=', '') !== ''))
      throw new Error('the answer holds no base64')
    hasEnded ||= piece.endsWith('=')
    const all = rest + piece
    const whole = all.length - (all.length % 4)
    rest = all.slice(whole)
    if (whole > 0) yield Buffer.from(all.slice(0, whole), 'base64')
  }
  if (rest !== '') throw new Error('the answer holds no base64')
}

import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'

// A TAR whose bytes follow from the names and sizes of its members alone, so that any range of it can be sent
// without reading what is before, and whatever differs from it is refused. Any program reads it.

const blockBytes = 512
/** The size has eleven octal digits. */
const mostBytes = 8 ** 11 - 1

/** `manifest.json`, `tables/messages-0001.jsonl.zst`: no way out of a folder. */
export const memberForm = /^[a-z]+(\.[a-z]+|\/[a-z0-9_-]+(\.[a-z]+)*)?$/

export interface Member {
  name: string
  size: number
}

export const padded = (size: number): number => Math.ceil(size / blockBytes) * blockBytes
/** Two empty blocks end the file. */
export const endOfTar = Buffer.alloc(2 * blockBytes)

/**
 * The header of a regular file, in the format ustar.
 * @throws RangeError for a name or a size that it has no room for
 */
export function tarHeader({ name, size }: Member): Buffer {
  if (!/^[\x21-\x7e]{1,99}$/.test(name) || !(size >= 0 && size <= mostBytes))
    throw new RangeError(`no TAR member: ${name}, ${size} bytes`)
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(name, 0, 'latin1')
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(0, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  return header
}

/** Reads a header. @returns undefined for anything that `tarHeader` would not have written so */
export function readTarHeader(block: Uint8Array): Member | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const end = bytes.indexOf(0)
  const name = bytes.toString('latin1', 0, Math.max(0, Math.min(end, 99)))
  const octal = bytes.toString('latin1', 124, 135)
  if (!/^[\x21-\x7e]{1,99}$/.test(name) || !/^[0-7]{11}$/.test(octal)) return undefined
  const member = { name, size: Number.parseInt(octal, 8) }
  return tarHeader(member).equals(bytes) ? member : undefined
}

export const tarSize = (members: readonly Member[]): number =>
  members.reduce((sum, { size }) => sum + blockBytes + padded(size), endOfTar.length)

/** A member does not have the size that it should have. */
export class MemberChanged extends Error {
  override name = 'MemberChanged'
}

/**
 * The bytes from `start` to before `end` of the TAR of the members.
 * @param read the bytes of a member within the range, or all
 */
export async function* tarBytes(
  members: readonly Member[],
  read: (name: string, range: { start: number; end: number }) => Promise<Readable>,
  { start = 0, end = tarSize(members) }: { start?: number; end?: number } = {},
): AsyncGenerator<Buffer> {
  let at = 0
  /** What of a part that is `length` long is within the range. */
  const within = (length: number) => {
    const from = Math.max(0, start - at)
    const to = Math.min(length, end - at)
    at += length
    return from < to ? { from, to } : undefined
  }
  for (const member of members) {
    if (at >= end) return
    const header = within(blockBytes)
    if (header) yield tarHeader(member).subarray(header.from, header.to)
    const body = within(member.size)
    if (body)
      yield* exactly(await read(member.name, { start: body.from, end: body.to - 1 }), body.to - body.from)
    const padding = within(padded(member.size) - member.size)
    if (padding) yield Buffer.alloc(padding.to - padding.from)
  }
  const last = within(endOfTar.length)
  if (last) yield endOfTar.subarray(last.from, last.to)
}

/** @throws MemberChanged when there are more or fewer bytes, as of a file that was cut */
async function* exactly(stream: Readable, length: number): AsyncGenerator<Buffer> {
  let count = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    count += chunk.length
    if (count > length) throw new MemberChanged('a member is longer than it was')
    yield chunk
  }
  if (count < length) throw new MemberChanged('a member is shorter than it was')
}

import { expect, test } from 'vitest'
import { hostileFiles } from '#server/testing/inputs/hostile-files.ts'
import { kindOfFile } from './file-kind.ts'
import { sizeOfPicture } from './picture.ts'

/** A picture with a colour table, a comment, and one frame at (2, 3). */
const gif = (screen: [number, number], frame: [number, number]) => {
  const start = Buffer.alloc(13 + 12)
  start.write('GIF89a', 'latin1')
  start.writeUInt16LE(screen[0], 6)
  start.writeUInt16LE(screen[1], 8)
  start[10] = 0x81
  const descriptor = Buffer.alloc(10)
  descriptor[0] = 0x2c
  for (const [n, value] of [2, 3, ...frame].entries()) descriptor.writeUInt16LE(value, 1 + 2 * n)
  return Buffer.concat([start, Buffer.from('!\xfe\x02oi\x01!\0', 'latin1'), descriptor])
}
const segment = (marker: number, length: number, bytes = Buffer.alloc(length - 2)) => {
  const start = Buffer.from([0xff, marker, 0, 0])
  start.writeUInt16BE(length, 2)
  return Buffer.concat([start, bytes])
}
const frame = (width: number, height: number) => {
  const bytes = Buffer.alloc(15)
  bytes[0] = 8
  bytes.writeUInt16BE(height, 1)
  bytes.writeUInt16BE(width, 3)
  return segment(0xc0, 17, bytes)
}
const jpeg = (...segments: Buffer[]) => Buffer.concat([Buffer.from('ffd8', 'hex'), ...segments])
/** A file as the file store has it. */
const file = (bytes: Buffer) => ({
  head: bytes.subarray(0, 65_536),
  readStart: (length: number) => Promise.resolve(bytes.subarray(0, length)),
})
const webp = (kind: string, write: (head: Buffer) => void) => {
  const head = Buffer.alloc(64)
  head.write(`RIFF\x38\0\0\0WEBP${kind}`, 'latin1')
  write(head)
  return head
}

test.each([
  ['gif', gif([640, 480], [600, 400]), 640, 480],
  ['gif with a frame larger than its screen', gif([1, 1], [640, 480]), 642, 483],
  ['jpeg', jpeg(segment(0xe0, 16), Buffer.from('ff', 'hex'), frame(800, 600)), 800, 600],
  [
    'extended webp',
    webp('VP8X', (head) => {
      head.writeUIntLE(15_999, 24, 3)
      head.writeUIntLE(16_382, 27, 3)
    }),
    16_000,
    16_383,
  ],
  [
    'webp',
    webp('VP8 ', (head) => {
      head.writeUInt16LE(800, 26)
      head.writeUInt16LE(600, 28)
    }),
    800,
    600,
  ],
  ['lossless webp', webp('VP8L', (head) => head.writeUInt32LE((599 << 14) | 799, 21)), 800, 600],
])('the size of a %s is read from its head', (_name, head, width, height) => {
  expect(sizeOfPicture(head)).toMatchObject({ width, height })
})

const huge = frame(50_000, 50_000)
const small = frame(8, 8)
test.each([
  ['png', 'png', hostileFiles['png of 50,000 by 50,000'] as Buffer],
  ['gif', 'gif', gif([50_000, 50_000], [1, 1])],
  ['gif with a first frame', 'gif', gif([1, 1], [50_000, 50_000])],
  ['gif without a frame', 'gif', gif([1, 1], [1, 1]).subarray(0, 30)],
  ['jpeg', 'jpg', jpeg(segment(0xe0, 16), huge)],
  ['jpeg behind a long comment', 'jpg', jpeg(segment(0xfe, 65_535), huge)],
  ['jpeg behind comments of megabytes', 'jpg', jpeg(...Array(70).fill(segment(0xfe, 65_535)), huge)],
  ['jpeg behind a marker without a length', 'jpg', jpeg(Buffer.from('ff01', 'hex'), huge, small)],
  ['jpeg behind bytes of no meaning', 'jpg', jpeg(segment(0xe0, 16), Buffer.from('00', 'hex'), huge)],
  ['jpeg of no height', 'jpg', jpeg(segment(0xe0, 16), frame(50_000, 0))],
])('a %s that would take gigabytes to show is a file like any other', async (_name, extension, bytes) => {
  expect(await kindOfFile(file(bytes))).toEqual({ mimeType: 'application/octet-stream', extension })
})

test('the size of a picture is read behind the data of the camera', async () => {
  const photo = jpeg(...Array<Buffer>(20).fill(segment(0xe1, 65_535)), frame(4000, 3000))
  expect(await kindOfFile(file(photo))).toEqual({ mimeType: 'image/jpeg', extension: 'jpg' })
})

import { expect, test } from 'vitest'
import { hostileFiles } from '#server/testing/inputs/hostile-files.ts'
import { kindOfFile } from './file-kind.ts'
import { sizeOfPicture } from './picture.ts'

const gif = (width: number, height: number) => {
  const head = Buffer.alloc(64)
  head.write('GIF89a', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return head
}
const webp = (kind: string, write: (head: Buffer) => void) => {
  const head = Buffer.alloc(64)
  head.write(`RIFF\x38\0\0\0WEBP${kind}`, 'latin1')
  write(head)
  return head
}

test.each([
  ['gif', gif(640, 480), 640, 480],
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
  expect(sizeOfPicture(head)).toEqual({ width, height })
})

test.each([
  ['png', hostileFiles['png of 50,000 by 50,000'] as Buffer],
  ['gif', gif(50_000, 50_000)],
])('a %s that would take gigabytes to show is a file like any other', async (extension, head) => {
  expect(await kindOfFile(head)).toEqual({ mimeType: 'application/octet-stream', extension })
})

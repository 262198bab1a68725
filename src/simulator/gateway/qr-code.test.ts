import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { qrModules, qrSize } from './qr-code.ts'
import { qrImage } from './qr-image.ts'

/** The dark pixels of a PNG with 8 bits or less a channel, whatever its filters. */
const darkPixels = (uri: string): { width: number; isDark: (x: number, y: number) => boolean } => {
  const png = Buffer.from(uri.replace(/^data:image\/png;base64,/, ''), 'base64')
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('ascii', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  const header = chunks[0]?.data ?? Buffer.alloc(13)
  const [width, depth, colour] = [header.readUInt32BE(0), header[8] ?? 8, header[9] ?? 0]
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data
  const raw = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)))
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 1
  const stride = Math.ceil((width * channels * depth) / 8)
  const step = Math.max(1, (channels * depth) / 8)
  const lines: Buffer[] = []
  for (let y = 0; y < width; y += 1) {
    const filter = raw[y * (stride + 1)]
    const line = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let x = 0; x < stride; x += 1) {
      const left = line[x - step] ?? 0
      const up = lines[y - 1]?.[x] ?? 0
      const corner = lines[y - 1]?.[x - step] ?? 0
      const guess = left + up - corner
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner
      const added = [0, left, up, (left + up) >> 1, paeth][filter ?? 0] ?? 0
      line[x] = ((line[x] ?? 0) + added) & 255
    }
    lines.push(line)
  }
  const value = (x: number, y: number): number => {
    const bit = x * channels * depth
    const byte = lines[y]?.[bit >> 3] ?? 0
    if (depth === 8) return byte
    return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
  const shade = (x: number, y: number) =>
    colour === 3 ? (palette?.[value(x, y) * 3] ?? 0) : (value(x, y) * 255) / (2 ** depth - 1)
  return { width, isDark: (x, y) => shade(x, y) < 128 }
}

const modulesIn = (uri: string): boolean[][] => {
  const { width, isDark } = darkPixels(uri)
  const scale = width / (qrSize + 6)
  const middle = (at: number) => Math.floor((at + 3.5) * scale)
  return Array.from({ length: qrSize }, (_, y) =>
    Array.from({ length: qrSize }, (__, x) => isDark(middle(x), middle(y))),
  )
}

const url = new URL('../payloads/qrcode.updated.json', import.meta.url)
const { qrcode } = JSON.parse(readFileSync(url, 'utf8')).data

it('draws the code of the real gateway module for module as the real gateway drew it', () => {
  const real = modulesIn(qrcode.base64)
  const ours = Array.from({ length: 8 }, (_, mask) => qrModules(qrcode.code, mask))
  expect(ours).toContainEqual(real)
})

it('puts into the picture what it was given, the same for the same text', () => {
  expect(modulesIn(qrImage('2@abc'))).toEqual(qrModules('2@abc'))
  expect(qrImage('2@abc')).toBe(qrImage('2@abc'))
  expect(qrImage('2@abd')).not.toBe(qrImage('2@abc'))
})

it('refuses what does not fit', () => {
  expect(() => qrModules('a'.repeat(251))).toThrow('250 bytes')
})

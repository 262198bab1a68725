import { inflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { recorded } from '#simulator/webhooks/recorded-bodies.ts'
import { qrImage, qrOptions } from './qr-image.ts'

/** The dark pixels of a PNG with at most 8 bits per channel and any filters. */
function darkPixels(uri: string): { width: number; isDark: (x: number, y: number) => boolean } {
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
  function value(x: number, y: number): number {
    const bit = x * channels * depth
    const byte = lines[y]?.[bit >> 3] ?? 0
    if (depth === 8) return byte
    return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
  const shade = (x: number, y: number) =>
    colour === 3 ? (palette?.[value(x, y) * 3] ?? 0) : (value(x, y) * 255) / (2 ** depth - 1)
  return { width, isDark: (x, y) => shade(x, y) < 128 }
}

/** The modules of a QR code picture with `size` modules per side. */
function modulesIn(uri: string, size = 81): boolean[][] {
  const { width, isDark } = darkPixels(uri)
  const scale = width / (size + 6)
  const middle = (at: number) => Math.floor((at + 3.5) * scale)
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => isDark(middle(x), middle(y))),
  )
}

const { qrcode } = recorded('qrcode.updated').data

it('the QR image has the modules of the real gateway’s, up to the choice of the mask', () => {
  const masks = Array.from({ length: 8 }, (_, maskPattern) => ({ ...qrOptions, maskPattern }))
  const ours = masks.map((options) => encode(qrcode.code, options).data)
  expect(ours).toContainEqual(modulesIn(qrcode.base64))
  expect(ours).toContainEqual(modulesIn(qrImage(qrcode.code)))
})

it('the QR image draws a picture of the same size as the real gateway', () => {
  expect(darkPixels(qrImage(qrcode.code)).width).toBe(darkPixels(qrcode.base64).width)
})

it('the QR image draws the same picture for the same text and another for another', () => {
  expect(qrImage('2@abc')).toBe(qrImage('2@abc'))
  expect(qrImage('2@abd')).not.toBe(qrImage('2@abc'))
})

it('the QR image grows with a longer text instead of cutting it', () => {
  const long = 'a'.repeat(300)
  const { size, data } = encode(long, qrOptions)
  expect(size).toBeGreaterThan(81)
  expect(modulesIn(qrImage(long), size)).toEqual(data)
})

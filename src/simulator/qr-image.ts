import { crc32, deflateSync } from 'node:zlib'
import { createRandom } from './random.ts'

const modules = 29
const scale = 8
const margin = 4

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

// The three corner squares every QR code has; undefined elsewhere.
const corner = (x: number, y: number): boolean | undefined => {
  const far = modules - 8
  if ((x > 7 && x < far) || (y > 7 && y < far) || (x >= far && y >= far)) return undefined
  const ring = Math.max(
    Math.abs((x < 8 ? x : modules - 1 - x) - 3),
    Math.abs((y < 8 ? y : modules - 1 - y) - 3),
  )
  return ring !== 2 && ring !== 4
}

/** A PNG (data: URI) that looks like a QR code and encodes nothing: no real phone may link itself to a simulator. */
export const fakeQrImage = (seed: number): string => {
  const random = createRandom(seed)
  const size = (modules + margin * 2) * scale
  const dark = Array.from({ length: modules }, (_, y) =>
    Array.from({ length: modules }, (__, x) => corner(x, y) ?? random() < 0.5),
  )
  const pixels = Buffer.alloc(size * (size + 1), 255)
  for (let y = 0; y < size; y += 1) {
    // Every line begins with its filter type, 0.
    pixels[y * (size + 1)] = 0
    for (let x = 0; x < size; x += 1) {
      const isDark = dark[Math.floor(y / scale) - margin]?.[Math.floor(x / scale) - margin] === true
      if (isDark) pixels[y * (size + 1) + 1 + x] = 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits of grey.
  header[8] = 8
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([signature, ...parts]).toString('base64')}`
}

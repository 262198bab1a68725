import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/**
 * A square grey PNG.
 * @param shade 0 (black) to 255 (white) of the pixel at x, y
 */
export const greyPng = (size: number, shade: (x: number, y: number) => number): Buffer => {
  // Every line begins with its filter type, 0.
  const pixels = Buffer.alloc(size * (size + 1))
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) pixels[y * (size + 1) + 1 + x] = shade(x, y)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits of grey.
  header[8] = 8
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

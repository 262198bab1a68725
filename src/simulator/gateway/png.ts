import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** @param write writes the pixel at x, y into the buffer at offset `at` */
function pngOf(
  {
    width,
    height,
    colourType,
    bytesPerPixel,
  }: Record<'width' | 'height' | 'colourType' | 'bytesPerPixel', number>,
  write: (pixels: Buffer, at: number, x: number, y: number) => void,
): Buffer {
  // Every line begins with its filter type, 0.
  const lineBytes = 1 + width * bytesPerPixel
  const pixels = Buffer.alloc(height * lineBytes)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) write(pixels, y * lineBytes + 1 + x * bytesPerPixel, x, y)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = colourType
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

/**
 * A square greyscale PNG.
 * @param shade 0 (black) to 255 (white) of the pixel at x, y
 */
export function greyPng(size: number, shade: (x: number, y: number) => number): Buffer {
  return pngOf({ width: size, height: size, colourType: 0, bytesPerPixel: 1 }, (pixels, at, x, y) => {
    pixels[at] = shade(x, y)
  })
}

/** @param colour red, green and blue, 0 to 255, of the pixel at x, y */
export function colourPng(
  width: number,
  height: number,
  colour: (x: number, y: number) => [number, number, number],
): Buffer {
  return pngOf({ width, height, colourType: 2, bytesPerPixel: 3 }, (pixels, at, x, y) => {
    pixels.set(colour(x, y), at)
  })
}

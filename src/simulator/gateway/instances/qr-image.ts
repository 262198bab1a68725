import { encode } from 'uqr'
import { greyPng } from '#simulator/gateway/png.ts'

const scale = 4
const margin = 3

/**
 * A QR code as a PNG `data:` URI of the size the real gateway uses. Any reader decodes the text, but no phone
 * can link with it, since no WhatsApp session is behind it.
 * @throws when the text is longer than a QR code can hold.
 */
export function qrImage(text: string): string {
  const { data, size } = encode(text, qrOptions)
  const at = (pixel: number) => Math.floor(pixel / scale) - margin
  const png = greyPng((size + margin * 2) * scale, (x, y) => (data[at(y)]?.[at(x)] === true ? 0 : 255))
  return `data:image/png;base64,${png.toString('base64')}`
}

/**
 * What the gateway uses: error correction H, in version 16 (81 modules per side) for a linking code. Readers
 * accept any mask, and choosing the best one would take eight times as long.
 */
export const qrOptions = { ecc: 'H', boostEcc: false, minVersion: 16, maskPattern: 0, border: 0 } as const

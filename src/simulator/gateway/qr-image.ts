import { greyPng } from './png.ts'
import { qrModules, qrSize } from './qr-code.ts'

const scale = 4
const margin = 3

/**
 * A PNG (data: URI) of a QR code, as large as the real gateway's. Every reader reads the text; no phone can link itself by
 * it, since nothing behind it is WhatsApp's.
 */
export const qrImage = (text: string): string => {
  const modules = qrModules(text)
  const at = (pixel: number) => Math.floor(pixel / scale) - margin
  const png = greyPng((qrSize + margin * 2) * scale, (x, y) => (modules[at(y)]?.[at(x)] === true ? 0 : 255))
  return `data:image/png;base64,${png.toString('base64')}`
}

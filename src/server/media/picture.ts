/** A small picture of a kind that every browser shows and nothing can hide in. */
interface Picture {
  mimeType: 'image/jpeg' | 'image/png'
  width: number
  height: number
}

/** More pixels a side are no picture of a person: unpacked, they would fill a browser's memory. */
const mostPixels = 4096

/**
 * The picture that bytes are, by themselves and by nothing that anybody says.
 * @param head the first of it; its size must stand there
 * @returns undefined for everything else, and for one that is larger than it may be
 */
export function pictureOf(head: Buffer): Picture | undefined {
  const picture = pngOf(head) ?? jpegOf(head)
  if (!picture || picture.width === 0 || picture.height === 0) return undefined
  return picture.width <= mostPixels && picture.height <= mostPixels ? picture : undefined
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

function pngOf(head: Buffer): Picture | undefined {
  if (head.length < 24 || !head.subarray(0, 16).equals(pngSignature)) return undefined
  return { mimeType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Those of a frame's start, in which the size stands; C4, C8 and CC among them are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** From segment to segment up to the frame. @see ITU T.81 B.1.1 */
function jpegOf(head: Buffer): Picture | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1] ?? 0
    if (isFrame(marker))
      return { mimeType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    // Bytes that fill up stand before a marker.
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

interface Size {
  width: number
  height: number
}

/** A small picture of a kind that every browser displays and that cannot contain anything else. */
interface Picture extends Size {
  mimeType: 'image/jpeg' | 'image/png'
}

/** Larger than any profile picture: decoded, it would fill a browser's memory. */
const mostPixels = 4096

/**
 * Detects a picture from its content.
 * @param head the beginning of the file, which must contain the size
 * @returns undefined for everything else, and for pictures that are too large
 */
export function pictureOf(head: Buffer): Picture | undefined {
  const picture = pngOf(head) ?? jpegOf(head)
  if (!picture || picture.width === 0 || picture.height === 0) return undefined
  return picture.width <= mostPixels && picture.height <= mostPixels ? picture : undefined
}

/** The size in pixels that a picture states; undefined for other files, or when the head lacks it. */
export function sizeOfPicture(head: Buffer): Size | undefined {
  return pngOf(head) ?? jpegOf(head) ?? gifOf(head) ?? webpOf(head)
}

function gifOf(head: Buffer): Size | undefined {
  if (head.length < 10 || !/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) return undefined
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

/** @see RFC 9649, sections 2.5 to 2.7 */
function webpOf(head: Buffer): Size | undefined {
  if (head.length < 30 || !/^RIFF.{4}WEBPVP8[ LX]$/s.test(head.toString('latin1', 0, 16))) return undefined
  const kind = head.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

function pngOf(head: Buffer): Picture | undefined {
  if (head.length < 24 || !head.subarray(0, 16).equals(pngSignature)) return undefined
  return { mimeType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Whether the marker starts a frame, which contains the size; C4, C8 and CC are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Walks the segments up to the frame. @see ITU T.81 B.1.1 */
function jpegOf(head: Buffer): Picture | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1] ?? 0
    if (isFrame(marker))
      return { mimeType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

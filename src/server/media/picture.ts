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

/** The size in pixels in which a picture is drawn; undefined for other files, or when the head lacks it. */
export function sizeOfPicture(head: Buffer): Size | undefined {
  const size = pngOf(head) ?? jpegOf(head) ?? gifOf(head) ?? webpOf(head)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

/**
 * The logical screen or the first frame, whichever is larger: browsers make room for both.
 * @see GIF89a specification, sections 18 to 24
 */
function gifOf(head: Buffer): Size | undefined {
  if (!/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) return undefined
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0)
  let at = 13 + tableBytes(head[10] ?? 0)
  while (head[at] === 0x21) {
    at += 2
    for (let length = head[at]; length !== 0; length = head[at]) {
      if (length === undefined) return undefined
      at += 1 + length
    }
    at += 1
  }
  if (head[at] !== 0x2c || at + 9 > head.length) return undefined
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => head.readUInt16LE(at + offset)) as [
    number,
    number,
    number,
    number,
  ]
  return {
    width: Math.max(head.readUInt16LE(6), left + width),
    height: Math.max(head.readUInt16LE(8), top + height),
  }
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

/** Whether a length follows the marker; other markers, such as the end of the picture, precede no frame. */
const isSegment = (marker: number) => marker >= 0xc0 && marker <= 0xfe && (marker < 0xd0 || marker > 0xda)

/**
 * Walks the segments up to the frame. What decoders read in different ways has no size.
 * @see ITU T.81 B.1.1
 */
function jpegOf(head: Buffer): Picture | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1] ?? 0
    if (isFrame(marker))
      return { mimeType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    if (marker === 0xff) {
      // Fill bytes may precede a marker.
      at += 1
      continue
    }
    const length = head.readUInt16BE(at + 2)
    if (!isSegment(marker) || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

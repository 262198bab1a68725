import { createHash } from 'node:crypto'

/** A page of an OGG stream: the sample at which it ends, and its content. */
function page(sequence: number, samples: bigint, content: Buffer): Buffer {
  const head = Buffer.alloc(27 + Math.ceil((content.length + 1) / 255))
  head.write('OggS', 0, 'latin1')
  head.writeUInt8(sequence === 0 ? 2 : 0, 5)
  head.writeBigInt64LE(samples, 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(sequence, 18)
  head.writeUInt8(head.length - 27, 26)
  for (let n = 27, left = content.length; n < head.length; n++, left -= 255)
    head.writeUInt8(Math.max(0, Math.min(255, left)), n)
  return Buffer.concat([head, content])
}

/** What looks like a voice of WhatsApp, of so many seconds; `word` makes it another one. */
export function voiceOf(seconds: number, word: string): Buffer<ArrayBuffer> {
  const opusHead = Buffer.from('OpusHead\u0001\u0001\0\0\u0080\u00bb\0\0\0\0\0', 'latin1')
  const noise = createHash('sha512').update(word).digest()
  return Buffer.concat([page(0, 0n, opusHead), page(1, BigInt(Math.round(seconds * 48_000)), noise)])
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { colourPng } from '#simulator/gateway/png.ts'

// Generated files that a browser can open.

/** A PNG of one colour, lighter to the right. @param hue 0 to 255 */
export function picture(width: number, height: number, hue: number): Buffer {
  return colourPng(width, height, (x) => [hue, Math.floor((x / width) * 255), 255 - hue])
}

const rate = 8000

/** A WAV file of varying loudness. */
export function sound(seconds: number): Buffer {
  const samples = Buffer.alloc(rate * seconds * 2)
  for (let at = 0; at < rate * seconds; at++) {
    const swell = Math.sin((at / rate) * 3) ** 2
    samples.writeInt16LE(Math.round(Math.sin(at / 6) * swell * 12_000), at * 2)
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** A one-second video of a moving square, recorded by a browser. */
export const film = readFileSync(join(import.meta.dirname, '../fixtures/film.webm'))

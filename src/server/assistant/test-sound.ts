import type { Sound } from './sound-form.ts'

const samplesPerSecond = 16_000

/** A second of a soft tone, as a WAV of 16 bits: what a test sends, and of no client. */
export function testSound(): Sound {
  const samples = samplesPerSecond
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(samplesPerSecond, 24)
  wav.writeUInt32LE(samplesPerSecond * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let n = 0; n < samples; n++) {
    const loudness = 6000 * Math.sin((Math.PI * n) / samples)
    wav.writeInt16LE(Math.round(loudness * Math.sin((2 * Math.PI * 440 * n) / samplesPerSecond)), 44 + n * 2)
  }
  return { bytes: wav, mimeType: 'audio/wav' }
}

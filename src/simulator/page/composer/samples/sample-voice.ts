import type { Recording } from '#simulator/page/composer/use-recorder.ts'

const sampleRate = 8000
const headerBytes = 44
const toneSeconds = 3
const melody = [392, 440, 494, 587, 494, 440]

/** A short melody as a WAV file, for where there is no microphone. */
export function sampleVoice(): Recording {
  const count = sampleRate * toneSeconds
  const view = new DataView(new ArrayBuffer(headerBytes + count * 2))
  const word = (at: number, text: string) =>
    Array.from(text).forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)))
  word(0, 'RIFF')
  view.setUint32(4, headerBytes - 8 + count * 2, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, count * 2, true)
  const noteLength = count / melody.length
  for (let index = 0; index < count; index += 1) {
    const note = melody[Math.floor(index / noteLength)] ?? 440
    const fade = Math.sin(Math.PI * ((index % noteLength) / noteLength))
    const value = Math.sin((2 * Math.PI * note * index) / sampleRate) * fade * 0.3
    view.setInt16(headerBytes + index * 2, Math.round(value * 32_767), true)
  }
  return { blob: new Blob([view], { type: 'audio/wav' }), seconds: toneSeconds }
}

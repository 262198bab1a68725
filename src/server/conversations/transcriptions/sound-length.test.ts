import { expect, test } from 'vitest'
import { voiceOf } from '#server/testing/files/voice.ts'
import { soundSeconds } from './sound-length.ts'

const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(29_997)])

test.each([
  ['what its last page says', voiceOf(12.2, 'a'), undefined, 13],
  ['what its last page says, where the message says less', voiceOf(61, 'a'), 1, 61],
  ['what the message says, where that is more', voiceOf(3, 'a'), 90, 90],
  ['what the message says of another format', mp3, 7, 7],
  ['by its size, where nobody says it', mp3, undefined, 20],
  ['by its size, where the message says nonsense', mp3, Number.NaN, 20],
  ['a second at least', Buffer.alloc(0), undefined, 1],
  ['by its size, where an OGG is cut off', voiceOf(3, 'a').subarray(0, 60), undefined, 1],
  ['by its size, where an OGG claims less than nothing', voiceOf(-3, 'a'), undefined, 1],
])('the length of a sound is %s', (_what, bytes, said, seconds) => {
  expect(soundSeconds(bytes, said)).toBe(seconds)
})

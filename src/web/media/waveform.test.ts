import { expect, test } from 'vitest'
import { peaksOf } from './waveform.ts'

test('the loudest part is 1, silence is 0, and each bar is its own stretch', () => {
  const samples = Float32Array.from({ length: 64_000 }, (_, at) =>
    at < 32_000 ? 0 : at < 48_000 ? 0.25 : 0.5,
  )
  expect(peaksOf(samples, 4)).toEqual([0, 0, 0.5, 1])
})

test('silence, and no sound at all, have flat bars', () => {
  expect(peaksOf(new Float32Array(1000), 3)).toEqual([0, 0, 0])
  expect(peaksOf(new Float32Array(0), 3)).toEqual([0, 0, 0])
  expect(peaksOf(Float32Array.of(0.5), 3)).toEqual([1, 0, 0])
})

import { expect, test } from 'vitest'
import { heatScale, levelOf } from './heat-scale.ts'

test('the scale of the heat map names the largest value of each shade', () => {
  expect(heatScale(38, true)).toEqual([
    { level: 0, upTo: 0 },
    { level: 1, upTo: 9 },
    { level: 2, upTo: 19 },
    { level: 3, upTo: 28 },
    { level: 4, upTo: 38 },
  ])
  expect(heatScale(90_000, false).map(({ upTo }) => upTo)).toEqual([0, 22_500, 45_000, 67_500, 90_000])
})

test('the scale of the heat map leaves out the shades that no count has', () => {
  expect(heatScale(2, true)).toEqual([
    { level: 0, upTo: 0 },
    { level: 2, upTo: 1 },
    { level: 4, upTo: 2 },
  ])
  expect(heatScale(0, true)).toEqual([{ level: 0, upTo: 0 }])
})

test('a cell of the heat map has the shade that the scale gives its value', () => {
  for (const most of [1, 2, 3, 7, 38, 1000])
    for (let value = 0; value <= most; value++) {
      const { level } = heatScale(most, true).find(({ upTo }) => value <= upTo) ?? {}
      expect(levelOf(value, most), `${value} of ${most}`).toBe(level)
    }
  expect(levelOf(null, 5)).toBe(0)
})

import { expect, test } from 'vitest'
import { formatJudgements, judge, outcomeOf } from '../bench/report.ts'
import type { Scenario } from '../bench/rounds.ts'

const scenario: Scenario = {
  name: 'messages',
  title: 'S2 messages',
  figures: [
    { key: 'rate', title: 'rate', unit: '/s', better: 'higher', aims: [{ ratio: 0.4 }, { value: 1300 }] },
    { key: 'p50', title: 'p50', unit: 'ms', better: 'lower', aims: [{ ratio: 3 }] },
    { key: 'memory', title: 'memory', unit: 'MB', better: 'lower' },
  ],
  sides: {},
}
const series = {
  rate: { ours: [500, 700, 600], floor: [1000, 1000, 1000] },
  p50: { ours: [8, 8, 8], floor: [2, 2, 2] },
  memory: { ours: [100], floor: [] },
}
const measured = { series, steady: 3, rounds: 3, reference: [5, 6] as [number, number], loadAverage: 1 }

test('every aim is judged by its median, the missed ones with how far they were missed', () => {
  const checks = [{ title: 'lost', holds: false, detail: '3 of 100' }]
  const { judgements } = outcomeOf(scenario, { ...measured, checks })
  expect(judgements).toMatchObject([
    { title: 'rate', aim: '≥ 0.4 × floor', seen: '0.60 × floor', isReached: true },
    { title: 'rate', aim: '≥ 1300 /s', seen: '600 /s', isReached: false },
    { title: 'p50', aim: '≤ 3 × floor', seen: '4.00 × floor', isReached: false },
    { title: 'lost', isReached: false },
  ])
  expect(judgements[2]?.missedBy).toBeCloseTo(1 / 3)
})

test('one missed aim is enough to say so in the last line', () => {
  const [, missed] = outcomeOf(scenario, { ...measured, checks: [] }).judgements
  const reached = { scenario: 'a', title: 'b', aim: '≤ 1', seen: '1', isReached: true }
  expect(formatJudgements([reached], 'again').at(-1)).toBe('all 1 aims reached')
  const lines = formatJudgements(missed ? [missed, reached] : [], 'again')
  expect(lines.at(-1)).toBe('1 of 2 aims reached, 1 MISSED')
  expect(lines.some((line) => line.endsWith('MISSED by 54 %'))).toBe(true)
})

test('an aim without a measurement is missed', () => {
  const figure = scenario.figures[1]
  const nothing = { ours: undefined, ratio: undefined }
  expect(figure && judge('messages', figure, { ratio: 3 }, nothing)).toMatchObject({
    seen: 'not measured',
    isReached: false,
  })
})

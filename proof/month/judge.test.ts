import { expect, test } from 'vitest'
import { growthOf, hurry, kindOf, median, slopeOf, termOf } from './judge.ts'

const days = (count: number, figure: (day: number) => number) =>
  Array.from({ length: count }, (_, day) => figure(day))

test('a slope is what a day adds, also beside days that are odd', () => {
  expect(slopeOf(days(20, (day) => 5 + 3 * day))).toBeCloseTo(3)
  expect(slopeOf(days(20, (day) => (day % 7 === 3 ? 900 : 5 + 3 * day)))).toBeCloseTo(3, 0)
  expect(slopeOf(days(20, (day) => (day % 2 === 0 ? 100 : 140)))).toBeCloseTo(0)
  expect(slopeOf([7])).toBe(0)
})

test('growth is found beyond what is tolerated, and not below', () => {
  const tolerance = { share: 0.1, least: 10 }
  expect(
    growthOf(
      days(20, (day) => 1000 + day),
      tolerance,
    ),
  ).toBeUndefined()
  expect(
    growthOf(
      days(20, (day) => 1000 + 10 * day),
      tolerance,
    ),
  ).toBeCloseTo(190)
  expect(
    growthOf(
      days(20, (day) => (day > 10 ? 8 : 0)),
      tolerance,
    ),
  ).toBeUndefined()
  expect(
    growthOf(
      days(20, (day) => day),
      tolerance,
    ),
  ).toBeCloseTo(19)
  expect(
    growthOf(
      days(20, (day) => 1000 - 10 * day),
      tolerance,
    ),
  ).toBeUndefined()
})

test('what grows beside another does not hurry; what grows with its square does', () => {
  const messages = days(20, (day) => 500 * day)
  const even = hurry(
    days(20, (day) => 40 + 100 * day),
    messages,
  )
  expect(even.times).toBeCloseTo(1)
  expect(even.more).toBeCloseTo(0)
  const square = hurry(
    days(20, (day) => day * day),
    messages,
  )
  expect(square.times).toBeGreaterThan(2)
  // 19² - 10² beside what the nine days before them have grown.
  expect(square.more).toBeGreaterThan(150)
  const still = hurry(
    days(20, () => 40),
    messages,
  )
  expect(still).toEqual({ times: 1, more: 0 })
  // What grows by pages of 8 kB.
  const pages = hurry(
    days(20, (day) => 8192 * Math.floor((day + 3) / 4)),
    messages,
  )
  expect(Math.abs(pages.more)).toBeLessThan(100 * 1024)
})

test('the register tells a kind and a term of every table', () => {
  expect([kindOf('messages'), kindOf('jobs'), kindOf('events'), kindOf('pgboss.job_common')]).toEqual([
    'kept',
    'bounded',
    'trimmed',
    'bounded',
  ])
  expect([termOf('sessions'), termOf('contact_merges'), termOf('rate_limits'), termOf('messages')]).toEqual([
    30, 1, 0, 0,
  ])
  expect(median([])).toBe(0)
})

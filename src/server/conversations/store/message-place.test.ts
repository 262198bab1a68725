import { expect, test } from 'vitest'
import { noNeighbours } from '#server/testing/inputs/neighbours.ts'
import { type Neighbours, placeMessage } from './message-place.ts'

const now = new Date('2026-11-20T15:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

/** The place of a message that was sent `seconds` ago. */
const placeOf = (seconds: number, around: Partial<Neighbours> = {}) =>
  placeMessage({ sentAt: ago(seconds) }, now, { ...noNeighbours, ...around })
const previous = (sent: number, placed: number) => ({ previousSentAt: ago(sent), previous: ago(placed) })
const next = (sent: number, placed: number) => ({
  nextSentAt: ago(sent),
  next: ago(placed),
  newest: ago(placed),
})

test.each<[string, ReturnType<typeof placeOf>, Date, boolean]>([
  ['of this minute comes now', placeOf(50), now, true],
  ['never comes before what is there', placeOf(50, { newest: ago(-2) }), ago(-2), true],
  ['of before comes at its own time', placeOf(90, { newest: ago(30) }), ago(90), false],
  ['comes before the later one that was faster', placeOf(12, next(10, 5)), ago(12), false],
  [
    'comes before the later one also where our clock is behind',
    placeOf(12, next(10, 40)),
    ago(40.001),
    false,
  ],
  [
    'comes between its neighbours where both were slow, by the share of the time',
    placeOf(12, { ...previous(14, 8), ...next(10, 4) }),
    ago(6),
    false,
  ],
  [
    'of before comes after the earlier one, which was slow itself',
    placeOf(62, { newest: ago(30), ...previous(70, 30) }),
    ago(30),
    true,
  ],
  [
    'comes before the later one where its neighbours stand the wrong way round',
    placeOf(12, { ...next(10, 5), newest: ago(2), ...previous(14, 2) }),
    ago(12),
    false,
  ],
])('the place of a message: %s', (_title, place, sortAt, isNewest) => {
  expect(place).toMatchObject({ sortAt, isNewest })
})

/** The place of a message of five minutes ago that the gateway had `ms` after the beginning of its second. */
const placeInSecond = (ms: number, around: Partial<Neighbours>) => {
  const sentAt = ago(300)
  const place = placeMessage({ sentAt, postedMs: ms }, now, { ...noNeighbours, ...around })
  return +place.sortAt - +sentAt
}
const inSecond = (ms: number) => new Date(+ago(300) + ms)
const before = (posted: number, placed: number) => ({
  previous: inSecond(placed),
  previousSentAt: ago(300),
  previousPostedMs: posted,
})
const behind = (posted: number, placed: number) => ({
  next: inSecond(placed),
  nextSentAt: ago(300),
  nextPostedMs: posted,
})

test.each<[string, Partial<Neighbours>, number]>([
  ['the first of its second stands at the second', {}, 0],
  ['a later one stands as far behind as the gateway had it', before(500, 0), 200],
  ['an earlier one stands as far before', behind(900, 0), -200],
  ['one between two at one place stands beside them', { ...before(600, 40), ...behind(800, 40) }, 40],
  ['one between two stands by its share', { ...before(600, 0), ...behind(800, 500) }, 250],
  [
    'one whose neighbour has no time of the gateway stands behind it',
    { ...before(0, 40), previousPostedMs: null },
    40,
  ],
])('the place of a message within its second: %s', (_title, around, expected) => {
  expect(placeInSecond(700, around)).toBe(expected)
})

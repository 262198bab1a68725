import { expect, test } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { placeIn } from './queue-place.ts'

const at = (minute: number) => `2026-11-19T12:0${minute}:00.000Z`
const held = conversationRow({ id: 1, sectorId: 4, subStatus: 'OPERADOR', startedAt: at(2) })
const queue = [1, 3, 5].map((minute) =>
  conversationRow({ id: 10 + minute, sectorId: 3, startedAt: at(minute) }),
)
const others = [
  held,
  conversationRow({ id: 2, sectorId: 4, startedAt: at(0) }),
  conversationRow({ id: 3, sectorId: 3, subStatus: 'OPERADOR', startedAt: at(0) }),
]

test('whoever is transferred stands in the queue by the start of the conversation', () => {
  expect(placeIn(3, held, [...queue, ...others], 3)).toBe(2)
  expect(placeIn(5, held, [...queue, ...others], 0)).toBe(1)
})

test('the place is not told while it is not known who waits there', () => {
  expect(placeIn(3, held, [...queue, ...others], 4)).toBeUndefined()
  expect(placeIn(3, held, [...queue, ...others], undefined)).toBeUndefined()
})

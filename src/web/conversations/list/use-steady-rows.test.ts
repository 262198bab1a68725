import { expect, test } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { inOrderOf } from './use-steady-rows.ts'

test('current rows keep the earlier order: what left keeps its place, what is new comes at the end', () => {
  const row = (id: number, messageCount = 1) => conversationRow({ id, messageCount })
  const shown = inOrderOf([row(1), row(2), row(3)], [row(4), row(3, 9), row(1)])
  expect(shown.map(({ id, messageCount }) => [id, messageCount])).toEqual([
    [1, 1],
    [2, 1],
    [3, 9],
    [4, 1],
  ])
})

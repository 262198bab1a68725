// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import type { PointerEvent } from 'react'
import { expect, test } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { inOrderOf, useSteadyRows } from './use-steady-rows.ts'

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

test.each([
  ['mouse', [1, 2]],
  ['touch', [2, 1]],
])('rows under a pointer of the kind %s are shown in the order %j', (pointerType, order) => {
  const row = (id: number) => conversationRow({ id })
  const { result, rerender, unmount } = renderHook(({ rows }) => useSteadyRows(rows, 'all'), {
    initialProps: { rows: [row(1), row(2)] },
  })
  act(() => result.current.hold.onPointerEnter({ pointerType } as PointerEvent))
  rerender({ rows: [row(2), row(1)] })
  expect(result.current.shown.map(({ id }) => id)).toEqual(order)
  unmount()
})

// @vitest-environment happy-dom
import { act, fireEvent, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { useSelection } from './use-selection.ts'

const rows = [1, 2, 3, 4, 5].map((id) => conversationRow({ id }))
const row = (id: number) => conversationRow({ id })

const begin = () => {
  const { result, rerender } = renderHook(({ shown, list }) => useSelection(shown, list), {
    initialProps: { shown: rows, list: 'Minhas' },
  })
  return {
    rerender,
    now: () => result.current,
    ids: () => result.current.rows.map(({ id }) => id),
    toggle: (id: number, isRange = false) => act(() => result.current.toggle(row(id), isRange)),
  }
}

test('Shift chooses everything between two rows, in either direction, and keeps what was chosen', () => {
  const { ids, toggle } = begin()
  toggle(1)
  toggle(5)
  toggle(3, true)
  expect(ids().toSorted((a, b) => a - b)).toEqual([1, 3, 4, 5])
  toggle(4)
  expect(ids().toSorted((a, b) => a - b)).toEqual([1, 3, 5])
})

test('all rows are selected at once, and the last deselected ends the selection', () => {
  const { now, ids, toggle } = begin()
  act(() => now().begin())
  expect([now().isOn, ids(), now().isWhole]).toEqual([true, [], false])
  act(() => now().chooseAll())
  expect([ids(), now().isWhole]).toEqual([[1, 2, 3, 4, 5], true])
  act(() => now().drop([1, 2, 3, 4]))
  expect(ids()).toEqual([5])
  toggle(5)
  expect(now().isOn).toBe(false)
})

test('Escape ends the selection, unless something else has handled the key', () => {
  const { now, toggle } = begin()
  toggle(2)
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(now().isOn).toBe(true)
  dialog.remove()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(now().isOn).toBe(false)
})

test('another list begins without a selection', () => {
  const { now, ids, toggle, rerender } = begin()
  toggle(2)
  toggle(3)
  rerender({ shown: [row(1), { ...row(3), assignedUserId: 9 }], list: 'Minhas' })
  expect(now().rows.map(({ id, assignedUserId }) => [id, assignedUserId])).toEqual([
    [2, null],
    [3, 9],
  ])
  rerender({ shown: rows, list: 'Fila' })
  expect([now().isOn, ids()]).toEqual([false, []])
})

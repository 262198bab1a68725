// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast } from './toast.ts'
import { Toaster } from './toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <>
      <button type="button">antes</button>
      <Toaster />
    </>,
  )
})
afterEach(() => {
  pass(60_000)
})

const show = (content: Parameters<typeof toast>[0]) => act(() => toast(content))
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const shown = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
const card = () => screen.getByRole('listitem').firstElementChild as HTMLElement

test('one toast is shown at a time: three seconds, five with an action', () => {
  show({ title: 'Salvo' })
  show({ title: 'Excluído', action: { label: 'Desfazer', onClick: () => undefined } })
  expect(shown()).toEqual(['ExcluídoDesfazer'])
  pass(4900)
  expect(shown()).toHaveLength(1)
  pass(200)
  expect(shown()).toEqual([])
  show({ title: 'Salvo' })
  pass(3100)
  expect(shown()).toEqual([])
})

test('an error is announced at once, anything else when the person is done', () => {
  show({ title: 'Falhou', description: 'Tente de novo', tone: 'error' })
  expect(screen.getByRole('alert').textContent).toBe('FalhouTente de novo')
  expect(screen.getByRole('status').textContent).toBe('')
  show({ title: 'Salvo' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('status').textContent).toBe('Salvo')
})

test.each([
  ['pointed at', () => fireEvent.pointerMove(card()), () => fireEvent.pointerLeave(card())],
  ['focused', () => act(() => card().focus()), () => act(() => card().blur())],
  ['in the background', () => fireEvent.blur(window), () => fireEvent.focus(window)],
])('a toast stays while %s, and its time begins anew', (_name, begin, end) => {
  show({ title: 'Salvo' })
  begin()
  pass(60_000)
  expect(shown()).toHaveLength(1)
  end()
  pass(2900)
  expect(shown()).toHaveLength(1)
  pass(200)
  expect(shown()).toEqual([])
})

test('F8 leads to it; Escape there closes it and leads back, elsewhere it does not concern it', () => {
  const before = screen.getByRole('button', { name: 'antes' })
  before.focus()
  show({ title: 'Salvo' })
  fireEvent.keyDown(before, { key: 'Escape' })
  expect(shown()).toHaveLength(1)
  fireEvent.keyDown(before, { key: 'F8' })
  expect(document.activeElement).toBe(card())
  fireEvent.keyDown(card(), { key: 'Escape' })
  expect(shown()).toEqual([])
  expect(document.activeElement).toBe(before)
})

test('the action of a toast is taken once, and closes it', () => {
  const undo = vi.fn()
  show({ title: 'Excluído', action: { label: 'Desfazer', onClick: undo } })
  fireEvent.click(screen.getByRole('button', { name: 'Desfazer' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(shown()).toEqual([])
})

test('a press on a toast is not one outside of the dialog below', () => {
  const outside = vi.fn()
  document.addEventListener('pointerdown', outside)
  show({ title: 'Salvo' })
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Fechar' }))
  expect(outside).not.toHaveBeenCalled()
  document.removeEventListener('pointerdown', outside)
})

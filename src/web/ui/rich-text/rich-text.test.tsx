// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RichText } from './rich-text.tsx'

const more = () => screen.queryByRole('button', { name: 'Ler mais' })

test('a short text that is edited to a longer one is shown whole', () => {
  const { container, rerender } = render(<RichText text="chega amanhã" />)
  rerender(<RichText text="chega depois de amanhã, às 10" />)
  expect(container.textContent).toBe('chega depois de amanhã, às 10')
  expect(more()).toBeNull()
})

test('the beginning of a long text is shown, and with each press more, until its end', () => {
  const lines = Array.from({ length: 130 }, (_, n) => `linha ${n + 1}`)
  const { container } = render(<RichText text={lines.join('\n')} />)
  const shown = () => container.textContent ?? ''
  expect([shown().includes('linha 40'), shown().includes('linha 41')]).toEqual([true, false])
  fireEvent.click(more() as HTMLElement)
  expect([shown().includes('linha 80'), shown().includes('linha 81')]).toEqual([true, false])
  fireEvent.click(more() as HTMLElement)
  expect(shown().endsWith('linha 130')).toBe(true)
  expect(more()).toBeNull()
})

// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ErrorState } from './error-state.tsx'

test('the button of an error changes when somebody asks, not when it is tried by itself', () => {
  const shown = (isRetrying: boolean) => <ErrorState isRetrying={isRetrying} onRetry={() => undefined} />
  const { rerender } = render(shown(false))
  const button = screen.getByRole('button')
  rerender(shown(true))
  expect(button.textContent).toBe('Tentar novamente')
  rerender(shown(false))
  fireEvent.click(button)
  rerender(shown(true))
  expect(button.textContent).toBe('Tentando...')
  rerender(shown(false))
  rerender(shown(true))
  expect(button.textContent).toBe('Tentar novamente')
})

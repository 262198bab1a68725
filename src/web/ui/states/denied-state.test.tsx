// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DeniedState } from './denied-state.tsx'

afterEach(cleanup)

test('a screen that is denied leads back to one that is not', () => {
  render(<DeniedState isPage />)
  expect(screen.getByText('Você não tem permissão para acessar esta página.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Voltar ao Dashboard' }).getAttribute('href')).toBe('/')
})

test('a denied part of a screen leads nowhere', () => {
  render(<DeniedState />)
  expect(screen.queryByRole('link')).toBeNull()
})

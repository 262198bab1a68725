// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { FirstStepsScreen } from './first-steps-screen.tsx'

const done = { isDone: true, isSkipped: false }
const steps = {
  gateway: done,
  number: done,
  message: { ...done, conversationId: null, contactName: null },
  team: done,
  hours: { isDone: false, isSkipped: false },
}
beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(path.startsWith('/api/first-steps') ? steps : null),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function show(hasSecondFactor: boolean) {
  render(<FirstStepsScreen />, {
    wrapper: inApp(new QueryClient(), {
      role: 'admin',
      hasSecondFactor,
      permissions: { canManageEvolutionApi: true },
    }),
  })
  return within(await screen.findByRole('region', { name: 'Proteja sua conta' }))
}

test('the first steps offer administrators the second factor before they need it', async () => {
  const offer = await show(false)
  offer.getByText(/^Sete dias depois da instalação, administradores só entram com um código/)
  expect(offer.getByRole('link', { name: 'Ativar no perfil' }).getAttribute('href')).toBe('/perfil')
  expect(offer.queryByText('Pronto:')).toBeNull()
  // It is none of the steps, which end without it.
  screen.getByText(/até os cinco passos estarem prontos/)
  expect(within(screen.getByRole('list', { name: 'Passos' })).getAllByRole('heading')).toHaveLength(5)
})

test('the first steps show that the account is protected once the second factor is on', async () => {
  const offer = await show(true)
  offer.getByText('Pronto:')
  offer.getByText('Sua conta pede um código do celular além da senha.')
  expect(offer.queryByRole('link')).toBeNull()
})

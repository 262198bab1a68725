// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { managedSector } from '#web/settings/sectors/test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'
import { MenuOffer } from './menu-offer.tsx'

const [sales, finance] = [managedSector(1), managedSector(2)]

function show({ sectors = [sales, finance], isOn = false, role = 'admin' as Me['role'] } = {}) {
  cleanup()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(settingsQueries.system().queryKey, { sectorMenuEnabled: isOn } as never)
  const me = { role, permissions: { canEditSettings: true } }
  render(<MenuOffer sectors={sectors} />, { wrapper: inApp(client, me) })
  return screen.queryByRole('link', { name: 'Menu de setores' })
}

test('the menu is offered from the second active sector on, where it can be switched on', () => {
  localStorage.clear()
  expect(show()?.getAttribute('href')).toBe('/settings-advanced?aba=pre-atendimento')
  expect(show({ sectors: [sales, managedSector(2, { isActive: false })] })).toBeNull()
  expect(show({ isOn: true })).toBeNull()
  expect(show({ role: 'supervisor' })).toBeNull()
})

test.each([
  ['closed', () => screen.getByRole('button', { name: 'Dispensar o aviso do menu' })],
  ['followed', () => screen.getByRole('link', { name: 'Menu de setores' })],
])('it does not come again after it was %s', (_how, target) => {
  act(() => localStorage.clear())
  show()
  fireEvent.click(target())
  expect(show()).toBeNull()
})

// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, test, vi } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { AccountRow } from './account-row.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  [false, 'Bloquear Carla', 'Erro ao bloquear usuário'],
  [true, 'Desbloquear Carla', 'Erro ao desbloquear usuário'],
])('an account whose block is %s says what has failed when it stays so', async (isBlocked, press, title) => {
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) =>
    method === 'POST'
      ? Response.json(
          { code: 'users.held', message: 'Há conversas que ninguém mais atende' },
          { status: 409 },
        )
      : Response.json([]),
  )
  const carla = { id: 3, name: 'Carla', isActive: true, isBlocked, numberIds: null } as Account
  render(
    <UiProvider>
      <table>
        <tbody>
          <AccountRow account={carla} isSelf={false} onEdit={() => undefined} onDelete={() => undefined} />
        </tbody>
      </table>
    </UiProvider>,
    { wrapper: inApp(new QueryClient()) },
  )
  fireEvent.click(screen.getByRole('button', { name: press }))
  const told = await screen.findByRole('region', { name: /^Notificações/ })
  await within(told).findByText(title)
  within(told).getByText('Há conversas que ninguém mais atende')
})

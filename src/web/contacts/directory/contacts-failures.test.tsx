// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { ContactsScreen } from './contacts-screen.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const page = { contacts: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 0, hasMore: false } }

function show(failing: string) {
  vi.stubGlobal('fetch', async (path: string) =>
    path.startsWith(failing)
      ? Response.json({ code: 'request.unavailable', message: 'Sem banco' }, { status: 503 })
      : path.startsWith('/api/contacts')
        ? Response.json(page)
        : Response.json([]),
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<ContactsScreen />, {
    wrapper: inApp(client, { id: 1, role: 'admin', permissions: { canViewContacts: true } }),
  })
}

test('the contacts that cannot be loaded say so once', async () => {
  show('/api/contacts?')
  await screen.findByText('Erro ao carregar dados: Sem banco')
  expect(screen.queryByText('Não foi possível carregar os dados.')).toBeNull()
})

test('the contacts say that their categories could not be loaded', async () => {
  show('/api/contact-categories')
  expect((await screen.findByText('Failed to fetch contact categories')).getAttribute('role')).toBe('alert')
})

// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { PresenceState } from '#shared/users/users.ts'
import { userQueries } from '#web/users/queries.ts'
import { inApp } from '#web/users/test-app.tsx'
import { LastAccess, lastAccessText, useDepartures } from './last-access.tsx'
import { accountQueries } from './queries.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const dayMs = 24 * 60 * 60_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const carla = { id: 3, name: 'Carla', lastSeenAt: daysAgo(2.1), createdAt: daysAgo(90) } as Account
const operator = (presence: PresenceState) =>
  ({ id: 3, presence, isOnline: presence !== 'offline' }) as ReturnType<typeof operators>[number]
const operators = () => client.getQueryData(userQueries.operators().queryKey) ?? []
let client: QueryClient
function show(presence: PresenceState | undefined) {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  if (presence) client.setQueryData(userQueries.operators().queryKey, [operator(presence)])
  client.setQueryData(accountQueries.list().queryKey, [carla])
  function Row() {
    useDepartures()
    return <LastAccess account={carla} />
  }
  return render(<Row />, { wrapper: inApp(client) })
}

test('a person who never signed in is told from one whose sessions are no longer kept', () => {
  const now = Date.now()
  expect(lastAccessText({ lastSeenAt: daysAgo(2.1), createdAt: daysAgo(90) }, now)).toBe(
    'Último acesso há 2 dias',
  )
  expect(lastAccessText({ lastSeenAt: null, createdAt: daysAgo(3) }, now)).toBe('Nunca entrou')
  expect(lastAccessText({ lastSeenAt: null, createdAt: daysAgo(31) }, now)).toBe(
    'Sem acesso há mais de 30 dias',
  )
})

test('who is there is shown as such, and who is not with their last access', () => {
  show('online')
  screen.getByText('Online')
  cleanup()
  show('idle')
  screen.getByText('Ausente')
  cleanup()
  show('offline')
  screen.getByText('Último acesso há 2 dias')
})

test('neither is said while it is not known, and the last access when it can not be', async () => {
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
  show(undefined)
  expect(screen.getByText(/acesso/).className).toContain('invisible')
  cleanup()
  vi.stubGlobal('fetch', async () => Response.json({ message: 'Erro' }, { status: 400 }))
  show(undefined)
  await waitFor(() => expect(screen.getByText(/^Último/).className).not.toContain('invisible'))
})

test('somebody who leaves was there until then', async () => {
  const fetched = vi.fn(async (path: string) =>
    Response.json(path === '/api/users' ? [{ ...carla, lastSeenAt: daysAgo(0) }] : []),
  )
  vi.stubGlobal('fetch', fetched)
  show('online')
  expect(fetched).not.toHaveBeenCalled()
  client.setQueryData(userQueries.operators().queryKey, [operator('offline')])
  await waitFor(() => expect(client.getQueryState(accountQueries.list().queryKey)?.isInvalidated).toBe(true))
})

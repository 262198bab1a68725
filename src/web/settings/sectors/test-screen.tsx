/** The screen of the sectors for tests, over a server that stores nothing. */
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { ManagedSector, ManagedSectors } from '#shared/sectors/managed-sectors.ts'
import type { Me } from '#shared/users/users.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { managedSectorsQuery } from './queries.ts'
import { SectorsScreen } from './sectors-screen.tsx'
import { managedSector, managedSectors } from './test-sectors.ts'

export const server = {
  stored: managedSectors([]),
  sent: [] as [string, unknown][],
  /** What it answers to what is sent, if not that it is done. */
  refusal: undefined as { status: number; code?: string; message?: string } | undefined,
}

/** Before each test. */
export function startServer() {
  server.sent = []
  server.refusal = undefined
  window.history.pushState(null, '', '/setores')
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(path.endsWith('/managed') ? server.stored : [])
    server.sent.push([`${method} ${path}`, body ? JSON.parse(body as string) : undefined])
    if (server.refusal) return Response.json(server.refusal, { status: server.refusal.status })
    return method === 'POST' ? Response.json({ id: 9 }, { status: 201 }) : new Response(null, { status: 204 })
  })
}

type InApp = (
  client: QueryClient,
  me: Partial<Pick<Me, 'role' | 'sectors'>> & { permissions: { canManageSectors: boolean } },
) => (props: { children: ReactNode }) => ReactNode

/** Shows the screen to person 7, who manages all sectors, or leads these. */
export const showIn =
  (inApp: InApp) =>
  (sectors: ManagedSector[], given: Partial<ManagedSectors> = {}, isManager = true) => {
    server.stored = managedSectors(sectors, given)
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
    client.setQueryData(managedSectorsQuery().queryKey, server.stored)
    client.setQueryData(sectorQueries.known().queryKey, [])
    render(<SectorsScreen />, {
      wrapper: inApp(client, {
        role: isManager ? 'admin' : 'operator',
        permissions: { canManageSectors: isManager },
        sectors: sectors.map(({ id }) => ({ id, isLead: true })),
      }),
    })
    return client
  }

export const section = (name: string) => within(screen.getByRole('region', { name }))
export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
export const comercial = (given: Partial<ManagedSector> = {}) =>
  managedSector(1, { name: 'Comercial', version: 4, ...given })

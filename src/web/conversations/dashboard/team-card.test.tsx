// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator } from '#shared/users/users.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { testSector } from '#web/sectors/test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'
import { userQueries } from '#web/users/users.tsx'
import { TeamCard } from './team-card.tsx'

beforeEach(() => {
  window.history.pushState(null, '', '/')
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
})

const person = (id: number, name: string) =>
  ({ id, name, role: 'operator', presence: 'online', numberIds: null, pictureUrl: null }) as Operator

function show(sectors: Sector[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(userQueries.operators().queryKey, [
    person(1, 'Ana'),
    person(2, 'Beto'),
    person(3, 'Caio'),
  ])
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  client.setQueryData(conversationQueries.open().queryKey, [
    conversationRow({ id: 1, assignedUserId: 1, sectorId: 5 }),
    conversationRow({ id: 2, assignedUserId: 2, sectorId: null }),
    conversationRow({ id: 3, assignedUserId: 2, sectorId: 6 }),
  ])
  render(<TeamCard className="" />, { wrapper: inApp(client, { hasSectors: sectors.length > 0 }) })
}

const names = () => screen.getAllByRole('rowheader').map((row) => /Ana|Beto|Caio/.exec(row.textContent)?.[0])

test('the team of a sector is its people and whoever has conversations of it', async () => {
  show([testSector(5, 'Comercial', [1, 3]), testSector(6, 'Suporte', [])])
  await screen.findByRole('button', { name: 'Setor' })
  expect(names()).toEqual(['Ana', 'Beto', 'Caio'])
  screen.getByText(/^3 abertas/)
  const choose = async (name: string) => {
    fireEvent.click(screen.getByRole('button', { name: /^Setor|^Comercial|^Suporte/ }))
    fireEvent.click(await screen.findByRole('option', { name }))
  }
  await choose('Comercial')
  expect(names()).toEqual(['Ana', 'Caio'])
  screen.getByText(/^1 aberta/)
  expect(window.location.search).toBe('?sectorId=5')
  await choose('Suporte')
  expect(names()).toEqual(['Beto'])
  await choose('Sem setor')
  screen.getByText(/^1 aberta/)
})

test('without sectors nothing of them is offered above the team', () => {
  show([])
  expect(names()).toEqual(['Ana', 'Beto', 'Caio'])
  expect(screen.queryByRole('button', { name: /^Setor/ })).toBeNull()
})

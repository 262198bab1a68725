// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { ContactFacts } from './contact-panel.tsx'

const contact = {
  id: 5,
  name: 'Rita',
  phone: null,
  avatarUrl: null,
  company: null,
  category: '',
  categoryColor: '#2563eb',
  isBlocked: false,
  email: null,
  tags: [],
  notes: null,
  companyId: null,
  sectorId: 2,
  isActive: true,
  createdAt: '2026-11-19T12:00:00.000Z',
  updatedAt: '2026-11-19T12:00:00.000Z',
} as Contact
const sector = (id: number, name: string, isActive = true): Sector => ({
  id,
  name,
  color: '#2563eb',
  description: '',
  isActive,
  isDeleted: false,
  numberIds: null,
  people: [],
  isOpenNow: true,
  changesAt: null,
})

let sent: unknown[]
beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return new Promise<never>(() => undefined)
    sent.push([`${method} ${path}`, JSON.parse(body as string)])
    return Response.json({ ...contact, sectorId: null })
  })
})

function show(sectors: Sector[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(contactQueries.one(5).queryKey, contact)
  client.setQueryData(sectorQueries.known().queryKey, sectors)
  render(<ContactFacts card={contact} />, { wrapper: inApp(client, { hasSectors: sectors.length > 0 }) })
}

test('the panel of a contact changes the sector, and offers no inactive one', async () => {
  show([sector(1, 'Antigo', false), sector(2, 'Comercial'), sector(3, 'Suporte')])
  fireEvent.click(await screen.findByRole('button', { name: 'Setor fixo: Comercial' }))
  const choices = await screen.findAllByRole('menuitemradio')
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Comercial', 'Suporte', 'Nenhum'])
  fireEvent.click(screen.getByRole('menuitemradio', { name: 'Nenhum' }))
  const body = { sectorId: null, updatedAt: contact.updatedAt }
  await waitFor(() => expect(sent).toEqual([['PUT /api/contacts/5', body]]))
  await screen.findByRole('button', { name: 'Setor fixo: Nenhum' })
})

test('nothing of sectors is shown of a contact where there are none', () => {
  show([])
  expect(screen.queryByText('Setor fixo')).toBeNull()
})

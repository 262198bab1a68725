// @vitest-environment happy-dom
import { QueryClient, useQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactQueries } from './queries.ts'
import { useSaveContact } from './save-contact.ts'
import { inApp } from '#web/users/test-app.tsx'

/** The contact as it is after so many changes. */
const version = (n: number, notes: string): Contact => ({
  id: 5,
  name: 'Rita',
  phone: '5511987342210',
  avatarUrl: null,
  email: null,
  company: null,
  companyId: null,
  sectorId: null,
  isActive: true,
  category: 'lead',
  categoryColor: '#16a34a',
  tags: [],
  notes,
  isBlocked: false,
  createdAt: '2026-03-02T12:00:00.000Z',
  updatedAt: `2026-03-02T12:00:0${n}.000Z`,
})

/** Shows the contact, and answers its requests by hand. */
async function shown() {
  const fetches: ((contact: Contact) => void)[] = []
  const saves: ((contact: Contact) => void)[] = []
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', signal }: RequestInit = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    const list = method === 'GET' ? fetches : saves
    list.push((contact) => resolve(Response.json(contact)))
    return promise
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { queryKey } = contactQueries.one(5)
  client.setQueryData(queryKey, version(0, 'nada'))
  const { result } = renderHook(
    () => ({ notes: useQuery(contactQueries.one(5)).data?.notes, save: useSaveContact(5) }),
    {
      wrapper: inApp(client),
    },
  )
  act(() => result.current.save.mutate(() => ({ notes: 'minha' })))
  await waitFor(() => expect(saves).toHaveLength(1))
  return {
    fetches,
    fetchAgain: () => act(async () => void client.invalidateQueries({ queryKey })),
    answerSave: () => act(async () => saves[0]?.(version(1, 'minha'))),
    shows: (notes: string) => waitFor(() => expect(result.current.notes).toBe(notes)),
    isSaved: () => waitFor(() => expect(result.current.save.isSuccess).toBe(true)),
  }
}

test("an answer that comes after a colleague's later change was fetched does not hide that", async () => {
  const { fetches, fetchAgain, answerSave, shows, isSaved } = await shown()
  await fetchAgain()
  fetches[0]?.(version(2, 'da colega'))
  await shows('da colega')
  await answerSave()
  await isSaved()
  await shows('da colega')
})

test('a fetch that the answer interrupts is made again, as a colleague may be the reason', async () => {
  const { fetches, fetchAgain, answerSave, shows } = await shown()
  await fetchAgain()
  await answerSave()
  await shows('minha')
  await waitFor(() => expect(fetches).toHaveLength(2))
  fetches[1]?.(version(2, 'da colega'))
  await shows('da colega')
})

// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ContactNotes } from './contact-notes.tsx'
import { readNoteDraft } from './note-drafts.ts'

const contact = {
  id: 5,
  name: 'Rita',
  tags: [],
  notes: 'Prefere a manhã',
  updatedAt: '2026-11-19T12:00:00.000Z',
} as unknown as Contact

let answer: PromiseWithResolvers<Partial<Contact>>
let client: QueryClient
beforeEach(() => {
  answer = Promise.withResolvers()
  sessionStorage.clear()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(contactQueries.one(5).queryKey, contact)
  vi.stubGlobal('fetch', async () =>
    Response.json({ ...contact, ...(await answer.promise), updatedAt: '2026-11-19T12:00:01.000Z' }),
  )
})

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

/** As the panel shows them: the notes of the contact that is cached. */
function showNotes() {
  const notes = () => (
    <ContactNotes contact={client.getQueryData(contactQueries.one(5).queryKey) ?? contact} />
  )
  const { rerender } = render(notes(), { wrapper: inApp(client) })
  return () => rerender(notes())
}

test('what is written while the notes of a contact are being saved stays, as another change', async () => {
  const show = showNotes()
  type('Notas', 'Prefere a tarde')
  fireEvent.click(screen.getByText('Salvar notas'))
  await screen.findByText('Salvando...')
  type('Notas', 'Prefere a tarde, por telefone')
  answer.resolve({ notes: 'Prefere a tarde' })
  await waitFor(() => expect(screen.queryByText('Salvando...')).toBeNull())
  show()
  expect(valueOf('Notas')).toBe('Prefere a tarde, por telefone')
  screen.getByText('Não salvas')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('notes that are saved once the chat has been left are no draft any more', async () => {
  showNotes()
  type('Notas', 'Prefere a tarde')
  fireEvent.click(screen.getByText('Salvar notas'))
  await screen.findByText('Salvando...')
  cleanup()
  answer.resolve({ notes: 'Prefere a tarde' })
  await waitFor(() => expect(readNoteDraft(7, 5)).toBeUndefined())
})

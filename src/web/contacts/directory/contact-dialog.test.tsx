// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ContactDialog } from './contact-dialog.tsx'

const contact = {
  id: 5,
  name: 'Rita',
  phone: '5511987342210',
  email: null,
  category: '',
  categoryColor: '#2563eb',
  company: null,
  companyId: null,
  sectorId: null,
  tags: [],
  notes: 'Prefere a manhã',
  isBlocked: false,
  avatarUrl: null,
  createdAt: '2026-11-19T12:00:00.000Z',
  updatedAt: '2026-11-19T12:00:00.000Z',
} as unknown as Contact
const later = '2026-11-19T12:05:00.000Z'

const onClose = vi.fn<() => void>()
let sent: unknown[]
beforeEach(() => {
  onClose.mockClear()
  sent = []
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return new Promise<never>(() => undefined)
    sent.push(JSON.parse(body as string))
    return Response.json(
      { code: 'contacts.changed', message: 'Um colega mudou este contato enquanto você editava.' },
      { status: 409 },
    )
  })
})

/** @returns shows the contact as a fetch has brought it since */
function show() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(contactQueries.categories().queryKey, [])
  const dialog = (now: Contact) => <ContactDialog contact={now} onClose={onClose} />
  const { rerender } = render(dialog(contact), { wrapper: inApp(client) })
  return (given: Partial<Contact>) => rerender(dialog({ ...contact, ...given, updatedAt: later }))
}
const writeNotes = (value: string) => fireEvent.input(screen.getByLabelText('Notas'), { target: { value } })
async function save() {
  const before = sent.length
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await waitFor(() => expect(sent).toHaveLength(before + 1))
  await waitFor(() => expect(screen.queryByText('Salvando...')).toBeNull())
  return sent.at(-1)
}

test('notes that a colleague has changed meanwhile are not overwritten without a word', async () => {
  const bring = show()
  writeNotes('Prefere a manhã, por telefone')
  bring({ notes: 'Mudou-se para Campinas' })
  const notes = 'Prefere a manhã, por telefone'
  // With the version that was seen, so that the server refuses.
  expect(await save()).toEqual({ notes, updatedAt: contact.updatedAt })
  // It has been told by now.
  expect(await save()).toEqual({ notes, updatedAt: later })
})

test('what a colleague has changed of another field is no conflict', async () => {
  const bring = show()
  writeNotes('Prefere a tarde')
  bring({ email: 'rita@loja.example' })
  expect(await save()).toEqual({ notes: 'Prefere a tarde', updatedAt: later })
})

test('Escape asks before what was typed about a contact is lost', () => {
  show()
  const escape = () => fireEvent.keyDown(screen.getByLabelText('Notas'), { key: 'Escape' })
  writeNotes('Prefere a tarde')
  escape()
  expect(onClose).not.toHaveBeenCalled()
  screen.getByText('Descartar o que você escreveu?')
  fireEvent.click(screen.getByRole('button', { name: 'Continuar editando' }))
  expect(screen.getByLabelText('Notas')).toHaveProperty('value', 'Prefere a tarde')
  writeNotes('Prefere a manhã')
  escape()
  expect(onClose).toHaveBeenCalledOnce()
})

test("'Cancelar' gives up what was typed about a contact without asking", () => {
  show()
  writeNotes('Prefere a tarde')
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  expect(onClose).toHaveBeenCalledOnce()
})

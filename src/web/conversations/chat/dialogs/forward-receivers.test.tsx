// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import type { Flags } from '#shared/permissions.ts'
import type { Me } from '#shared/users/users.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { MeContext } from '#web/users/me-context.ts'
import { useForwardReceivers } from './forward-receivers.ts'

const person = (id: number, given: Partial<Contact>) =>
  ({ ...conversationRow({ id }).contact, ...given }) as Contact
const named = (id: number, name: string, assignedUser: { id: number; name: string } | null = null) =>
  conversationRow({
    id,
    contact: { ...conversationRow({ id }).contact, name },
    assignedUser,
    assignedUserId: assignedUser?.id ?? null,
  })
const open = [
  named(1, 'Sônia Prado'),
  named(2, 'Sônia Reis', { id: 8, name: 'Bruno' }),
  named(3, 'Sonia Minha', { id: 7, name: 'Eu' }),
  named(4, 'Outra Pessoa'),
]

/** Those of the person. */
let numbers: GivenNumber[]
let asked: string[]
/** What the server finds; undefined: it is away; a promise: it is slow. */
let found: Contact[] | undefined | Promise<Contact[]>
beforeEach(() => {
  numbers = [givenNumber(1)]
  asked = []
  found = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const contacts = await found
    if (!contacts) throw new TypeError('network')
    return Response.json({ contacts, pagination: {} })
  })
})

function begin(
  search: string,
  may: Partial<Flags> = { canViewContacts: true, canCreateConversations: true },
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(conversationQueries.open().queryKey, open)
  client.setQueryData(numbersQuery().queryKey, numbers)
  const { result, rerender } = renderHook((words: string) => useForwardReceivers(words), {
    initialProps: search,
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <MeContext value={{ id: 7, permissions: may as Flags } as Me}>{children}</MeContext>
      </QueryClientProvider>
    ),
  })
  const names = () => result.current.receivers.map(({ card }) => card.name)
  return {
    result,
    rerender,
    names,
    isSettled: () => waitFor(() => expect(result.current.isSearching).toBe(false)),
  }
}

test("one's own conversations come first, then those of others, then contacts without one", async () => {
  found = [
    person(1, { name: 'Sônia Prado' }),
    person(21, { name: 'Sônia Bloqueada', isBlocked: true }),
    person(20, { name: 'Sônia Nova' }),
  ]
  const { result, isSettled } = begin('sonia')
  await isSettled()
  expect(
    result.current.receivers.map(({ card, contactId, open: talk, detail }) => [
      card.name,
      talk?.id ?? contactId,
      detail,
    ]),
  ).toEqual([
    ['Sonia Minha', 3, '(11) 98734-2210 · com Eu'],
    ['Sônia Prado', 1, '(11) 98734-2210 · na fila'],
    ['Sônia Reis', 2, '(11) 98734-2210 · com Bruno'],
    ['Sônia Nova', 20, '(11) 98734-2210 · nova conversa'],
  ])
  expect(result.current.trouble).toBeUndefined()
})

test('whoever has several numbers sees by which one each conversation goes', () => {
  numbers = [givenNumber(1), givenNumber(2)]
  expect(begin('minha').result.current.receivers.map(({ detail }) => detail)).toEqual([
    '(11) 98734-2210 · com Eu · por loja1',
  ])
})

test('a contact whom the server finds otherwise than by the name is shown, too', async () => {
  found = [person(20, { name: 'Maria de Souza' }), person(21, { name: 'Zé', email: 'maria souza@x.com' })]
  const { names, isSettled } = begin('maria souza')
  await isSettled()
  expect(names()).toEqual(['Maria de Souza', 'Zé'])
})

test('while the server is slow only those found before who fit the search are shown', async () => {
  found = [person(20, { name: 'Ágata Lenta' }), person(21, { name: 'Águeda Lenta' })]
  const { names, rerender, isSettled } = begin('lenta')
  await isSettled()
  expect(names()).toEqual(['Ágata Lenta', 'Águeda Lenta'])
  let answer: (contacts: Contact[]) => void = () => undefined
  found = new Promise((resolve) => (answer = resolve))
  rerender('agueda')
  expect(names()).toEqual(['Águeda Lenta'])
  answer([person(22, { name: 'Águeda Outra' })])
  await waitFor(() => expect(names()).toEqual(['Águeda Outra']))
  expect(asked).toHaveLength(2)
})

test('a search that fails says so, and leaves the conversations', async () => {
  found = undefined
  const { result, names } = begin('sonia')
  await waitFor(() => expect(result.current.trouble).toBe('Não foi possível buscar os contatos.'))
  expect(names()).toEqual(['Sonia Minha', 'Sônia Prado', 'Sônia Reis'])
})

test.each<[string, string, Partial<Flags>]>([
  ['for a single letter', 's', { canViewContacts: true, canCreateConversations: true }],
  ['for who may not see them', 'sonia', { canCreateConversations: true }],
  ['for who may not begin a conversation', 'sonia', { canViewContacts: true }],
])('no contacts are searched %s', async (_, search, may) => {
  const { names } = begin(search, may)
  expect(names().slice(0, 3)).toEqual(['Sonia Minha', 'Sônia Prado', 'Sônia Reis'])
  expect(asked).toEqual([])
})

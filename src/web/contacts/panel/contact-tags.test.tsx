// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { inApp } from '#web/users/test-app.tsx'
import { ContactTags } from './contact-tags.tsx'

const contact = {
  id: 5,
  name: 'Rita',
  tags: [] as string[],
  updatedAt: '2026-11-19T12:00:00.000Z',
} as unknown as Contact

let answer: PromiseWithResolvers<void>
beforeEach(() => {
  answer = Promise.withResolvers()
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    await answer.promise
    return Response.json({ ...contact, ...(JSON.parse(body as string) as object) })
  })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(contactQueries.one(5).queryKey, contact)
  render(<ContactTags contact={contact} />, { wrapper: inApp(client) })
})

const field = () => screen.getByLabelText<HTMLInputElement>('Nova etiqueta')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const add = () => fireEvent.submit(field())

test('the next tag that is typed while one is being added stays in the field', async () => {
  type('vip')
  add()
  type('atacado')
  answer.resolve()
  await waitFor(() => expect(screen.getByLabelText('Adicionar etiqueta').ariaBusy).not.toBe('true'))
  expect(field().value).toBe('atacado')
})

test('a tag that has been added leaves the field empty for the next one', async () => {
  type(' vip ')
  add()
  answer.resolve()
  await waitFor(() => expect(field().value).toBe(''))
})

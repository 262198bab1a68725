// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { useStartChat } from './start-chat.ts'
import { inApp } from '#web/users/test-app.tsx'

const contact = {
  id: 5,
  name: 'Rita',
  phone: '5511987342210',
  category: 'lead',
  categoryColor: '#16a34a',
  company: null,
  avatarUrl: null,
  isBlocked: false,
}

/** @param numbers undefined: they cannot be fetched @returns the address that starting a chat leads to */
async function startedAt(
  numbers: GivenNumber[] | undefined,
  conversationId: number | null = null,
): Promise<string> {
  window.history.pushState(null, '', '/contacts')
  const reply = { existing: conversationId !== null, conversationId, pendingCreation: true, contactId: 5 }
  vi.stubGlobal('fetch', async (path: string) => {
    if (path !== '/api/numbers') return Response.json({ ...reply, contact, instanceId: 2 })
    return numbers ? Response.json(numbers) : Response.json({}, { status: 503 })
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { result } = renderHook(useStartChat, {
    wrapper: inApp(client),
  })
  act(() => result.current.mutate({ contactId: 5 }))
  await waitFor(() => expect(location.pathname).toBe('/chat'))
  return location.pathname + location.search
}

test('a new chat names the number of the last one only where there are several', async () => {
  const plain = '/chat?contact=5&pendingCreation=true'
  const deleted = givenNumber(3, { isActive: false, isDeleted: true })
  expect(await startedAt([givenNumber(2), deleted])).toBe(plain)
  expect(await startedAt([givenNumber(1), givenNumber(2)])).toBe(`${plain}&numero=2`)
  // It is begun all the same.
  expect(await startedAt(undefined)).toBe(plain)
})

test('an open conversation is opened, by whichever number it goes', async () => {
  expect(await startedAt([givenNumber(1), givenNumber(2)], 8)).toBe('/chat?conversation=8')
})

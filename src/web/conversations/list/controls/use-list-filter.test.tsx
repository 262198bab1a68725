// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'
import type { Me } from '#shared/users/users.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { givenNumber } from '#web/numbers/test-numbers.ts'
import { MeContext } from '#web/users/me-context.ts'
import { useListFilter } from './use-list-filter.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
})

function filterAt(search: string, numbers: GivenNumber[] | undefined) {
  window.history.pushState(null, '', `/conversas-ativas${search}`)
  const client = new QueryClient()
  if (numbers) client.setQueryData(numbersQuery().queryKey, numbers)
  return renderHook(useListFilter, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <MeContext value={{ id: 7 } as Me}>{children}</MeContext>
      </QueryClientProvider>
    ),
  }).result
}

test('the list is filtered by the number of the address', () => {
  const two = [givenNumber(1), givenNumber(2)]
  expect(filterAt('?numero=2', two).current.filter.instanceId).toBe(2)
  // Before they are known it is not said to be another's.
  expect(filterAt('?numero=2', undefined).current.filter.instanceId).toBe(2)
  for (const [search, numbers] of [
    ['?numero=3', two],
    ['?numero=x', two],
    ['?numero=2', [givenNumber(2)]],
    ['?numero=2', [givenNumber(1), givenNumber(2, { isDeleted: true })]],
    ['', two],
  ] as const)
    expect(filterAt(search, [...numbers]).current.filter).not.toHaveProperty('instanceId')
})

test('the number of the filter stays while the tab changes', () => {
  const result = filterAt('?page=3&numero=2', [givenNumber(1), givenNumber(2)])
  act(() => result.current.change({ tab: 'queue' }))
  expect(location.search).toBe('?numero=2&tab=queue')
  act(() => result.current.change({ instanceId: 1 }))
  expect(location.search).toBe('?numero=1&tab=queue')
  act(() => result.current.change({ instanceId: undefined }))
  expect(location.search).toBe('?tab=queue')
})

/** As after a reload: nothing is left in memory. */
async function reloadedAt(path: string, userId = 7) {
  vi.resetModules()
  window.history.pushState(null, '', path)
  const fresh = await import('./use-list-filter.ts')
  const { MeContext } = await import('#web/users/me-context.ts')
  const { listAddress } = await import('#web/conversations/cache/list-place.ts')
  const client = new QueryClient()
  const { result } = renderHook(fresh.useListFilter, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <MeContext value={{ id: userId } as Me}>{children}</MeContext>
      </QueryClientProvider>
    ),
  })
  return { result, listAddress }
}

test("the reload of a chat keeps the list's tab and its filter, for the same person", async () => {
  await reloadedAt('/conversas-ativas?tab=mine&search=maria')
  const reloaded = await reloadedAt('/chat?conversation=1')
  expect(reloaded.result.current.filter).toMatchObject({ tab: 'mine', search: 'maria' })
  expect(reloaded.listAddress()).toBe('/conversas-ativas?tab=mine&search=maria')
  act(() => reloaded.result.current.change({ tab: 'queue' }))
  const again = await reloadedAt('/chat?conversation=2')
  expect(again.result.current.filter).toMatchObject({ tab: 'queue', search: 'maria' })
  const other = await reloadedAt('/chat?conversation=2', 8)
  expect(other.result.current.filter).toMatchObject({ tab: 'all', search: '' })
})

test('a chat opened by a link, without a list before it, has the usual tab beside it', async () => {
  const { result } = await reloadedAt('/chat?conversation=1')
  expect(result.current.filter).toMatchObject({ tab: 'all', page: 1 })
})

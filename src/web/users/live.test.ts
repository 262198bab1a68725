// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { showPresence } from './live.ts'
import { userQueries } from './queries.ts'

const me = { id: 7, name: 'Ana', isAway: false, isLoginLocked: false } as Me
const { queryKey } = userQueries.me()

const presenceOf = (state: 'online' | 'away' | 'offline') => ({
  type: 'presence' as const,
  data: { isWhole: true, people: [{ id: 7, state }] },
})

test.each(['online', 'away'] as const)(
  'what changed about my account while the link was down is still asked for once I am known to be %s',
  async (state) => {
    const client = new QueryClient()
    client.setQueryData(queryKey, me)
    // Its answer is lost with the link.
    await client.invalidateQueries({ queryKey })
    showPresence(presenceOf(state), client)
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
    expect(client.getQueryData(queryKey)?.isAway).toBe(state === 'away')
  },
)

test('a person who is offline for a moment is still away', () => {
  const client = new QueryClient()
  client.setQueryData(queryKey, { ...me, isAway: true })
  showPresence(presenceOf('offline'), client)
  expect(client.getQueryData(queryKey)?.isAway).toBe(true)
})

// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { GatewayNews } from '#shared/gateway/events.ts'
import { numbersQuery } from '#web/numbers/numbers.tsx'
import { showGatewayNews } from './live.ts'
import { newsQuery } from './pushed.ts'

const news = (given: Partial<GatewayNews>): GatewayNews => ({
  gatewayConnected: true,
  away: [],
  waiting: 0,
  recovered: null,
  numbersVersion: 'a',
  ...given,
})

test('the numbers are fetched again with another version of them, and with no other news', () => {
  const client = new QueryClient()
  const { queryKey } = numbersQuery()
  const isStaleAfter = (data: GatewayNews) => {
    client.setQueryData(queryKey, [])
    showGatewayNews({ type: 'gateway_state', data }, client)
    return client.getQueryState(queryKey)?.isInvalidated
  }
  expect(isStaleAfter(news({}))).toBe(true)
  expect(isStaleAfter(news({ waiting: 3 }))).toBe(false)
  expect(isStaleAfter(news({ numbersVersion: 'b' }))).toBe(true)
  expect(client.getQueryData(newsQuery().queryKey)?.numbersVersion).toBe('b')
})

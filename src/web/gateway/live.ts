import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { GatewayNews, LiveEvent } from '#shared/live-events.ts'
import { gatewayKeys, newsQuery } from './pushed.ts'

/** Stores the gateway's state as pushed by the live link. */
export function applyGatewayEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type !== 'hello' && event.type !== 'gateway_state') return
  const { queryKey } = newsQuery()
  if (client.getQueryData(queryKey)?.numbersVersion !== event.data.numbersVersion)
    void client.invalidateQueries({ queryKey: ['numbers'] })
  client.setQueryData(queryKey, event.data)
  if (event.type === 'gateway_state') void client.invalidateQueries({ queryKey: gatewayKeys.status })
}

/** What every screen is told of the gateway; undefined until the live link has reported it. */
export function useGatewayNews(): GatewayNews | undefined {
  return useQuery(newsQuery()).data
}

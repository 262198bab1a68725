import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { gatewayQueries } from './queries.ts'

/** Stores the gateway's state as pushed by the live link. */
export function applyGatewayEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type !== 'hello' && event.type !== 'gateway_state') return
  client.setQueryData(gatewayQueries.connected().queryKey, event.data.gatewayConnected)
  if (event.type === 'gateway_state')
    void client.invalidateQueries({ queryKey: gatewayQueries.status().queryKey })
}

/** Whether the WhatsApp number is connected; undefined until the live link has reported it. */
export function useGatewayConnected(): boolean | undefined {
  return useQuery(gatewayQueries.connected()).data
}

import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { connectedQuery, gatewayKeys } from './pushed.ts'

/** Stores the gateway's state as pushed by the live link. */
export function applyGatewayEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type !== 'hello' && event.type !== 'gateway_state') return
  client.setQueryData(connectedQuery().queryKey, event.data.gatewayConnected)
  if (event.type === 'gateway_state') void client.invalidateQueries({ queryKey: gatewayKeys.status })
}

/** Whether the WhatsApp number is connected; undefined until the live link has reported it. */
export function useGatewayConnected(): boolean | undefined {
  return useQuery(connectedQuery()).data
}

import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { GatewayNews } from '#shared/gateway/events.ts'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import { gatewayKeys, newsQuery } from './pushed.ts'

/** Stores the gateway's state as pushed by the live link. */
export function showGatewayNews({ data }: LiveEventOf<'hello' | 'gateway_state'>, client: QueryClient): void {
  const { queryKey } = newsQuery()
  if (client.getQueryData(queryKey)?.numbersVersion !== data.numbersVersion)
    void client.invalidateQueries({ queryKey: ['numbers'] })
  client.setQueryData(queryKey, data)
}

export function refetchGatewayStatus(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: gatewayKeys.status })
}

/** The settings that were changed may be those of a number. */
export function refetchManagedNumbers(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: gatewayKeys.numbers })
}

/** What every screen receives about the gateway; undefined until the live link has reported it. */
export function useGatewayNews(): GatewayNews | undefined {
  return useQuery(newsQuery()).data
}

import { queryOptions, skipToken } from '@tanstack/react-query'
import type { GatewayNews } from '#shared/gateway/events.ts'

// What is pushed of the gateway, apart from its calls: every screen shows it, without their schemas.

const all = ['gateway'] as const

/** What a push has fetched again begins with `status`. */
const status = [...all, 'status'] as const
export const gatewayKeys = { all, status, numbers: [...status, 'numbers'] } as const

/** Whether the number is connected, what waits, and what was recovered; undefined until first reported. */
export const newsQuery = () =>
  queryOptions<GatewayNews>({ queryKey: [...all, 'connected'], queryFn: skipToken, gcTime: Infinity })

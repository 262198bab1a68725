import type { QueryClient } from '@tanstack/react-query'

export const slaKeys = { all: ['sla-targets'] } as const

export function refetchTargets(_event: unknown, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: slaKeys.all })
}

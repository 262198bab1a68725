// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { testConfig } from '#web/gateway/test-config.ts'
import { inApp } from '#web/users/test-app.tsx'
import { EvolutionStatus } from './evolution-status.tsx'
import { gatewayQueries } from './queries.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const config: EvolutionConfig = {
  ...testConfig,
  status: 'close',
  lastConnectedAt: '2026-11-19T14:00:00.000Z',
}

/** What stands beside 'Conexão'. */
function connectionOf(connected: boolean, connectionStatus: string | undefined): string | null {
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const info = { ownerJid: null, number: null, profileName: null }
  client.setQueryData(gatewayQueries.status(1).queryKey, {
    connected,
    instanceInfo: connectionStatus === undefined ? null : { ...info, connectionStatus },
    version: null,
  })
  render(<EvolutionStatus config={config} />, { wrapper: inApp(client) })
  return screen.getByText('Conexão').nextElementSibling?.textContent ?? null
}

test.each<[connected: boolean, said: string | undefined, shown: string]>([
  [true, 'open', 'Conectado'],
  [false, 'close', 'Desconectado'],
  [false, 'refused', 'Desconectadorefused'],
  [false, undefined, 'DesconectadoDesconhecido'],
])('of a number whose connection is %s and %s is shown %j', (connected, said, shown) => {
  expect(connectionOf(connected, said)).toBe(shown)
})

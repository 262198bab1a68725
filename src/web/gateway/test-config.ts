import type { EvolutionConfig } from '#shared/gateway/gateway.ts'

/** A connected number, for tests. */
export const testConfig: EvolutionConfig = {
  id: 1,
  instanceName: 'loja1',
  apiKeyHint: 'wxyz',
  baseUrl: 'http://evolution:8080',
  webhookUrl: null,
  isActive: true,
  status: 'open',
  lastConnectedAt: null,
  webhookSetAt: null,
  defaultSectorId: null,
}

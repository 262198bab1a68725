import { join } from 'node:path'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import type { Config } from '#server/platform/config.ts'
import { openSecrets } from '#server/platform/secrets.ts'

export const demoInstance = 'emporio-aurora'

/**
 * The gateway of the demo. It runs in this process but behaves like a separate machine: every change is in
 * its journal before it is acknowledged.
 */
export function startDemoSimulator(config: Config): Promise<Simulator> {
  // The same at every start, so that nothing has to be configured again; secret outside the data folder.
  const apiKey = openSecrets(config.secretKey, config.dataDir).fingerprint('simulator').slice(0, 32)
  return startSimulator({
    apiKey,
    instanceName: demoInstance,
    ownerName: 'Empório Aurora',
    ownerNumber: '5511955554444',
    journalFile: join(config.dataDir, 'simulator.jsonl'),
    retryBaseMs: 1000,
    isPublic: config.isDemoPublic,
  })
}

import { join } from 'node:path'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import type { Config } from '#server/platform/config.ts'
import { openSecrets } from '#server/platform/secrets.ts'

export const demoInstance = 'emporio-aurora'

/**
 * The gateway of a demonstration: in this process, yet behaving as a machine of its own, since every change is in its
 * journal before it is answered.
 */
export function startDemoSimulator(config: Config): Promise<Simulator> {
  // The same at every start, so that nothing has to be set up again; nobody outside the data folder can know it.
  const apiKey = openSecrets(config.secretKey, config.dataDir).fingerprint('simulator').slice(0, 32)
  return startSimulator({
    apiKey,
    instanceName: demoInstance,
    ownerName: 'Empório Aurora',
    ownerNumber: '5511955554444',
    journalFile: join(config.dataDir, 'simulator.jsonl'),
    retryBaseMs: 1000,
  })
}

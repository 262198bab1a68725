import { randomBytes } from 'node:crypto'

export const instanceName = 'loja1'

/** Every secret that somebody types or sets, each like no other text. */
export type Secrets = ReturnType<typeof makeSecrets>

export function makeSecrets() {
  const canary = (kind: string) =>
    `CANARIO-${kind}-${randomBytes(15).toString('base64url').replaceAll(/[-_]/g, 'x')}`
  return {
    password: canary('senha'),
    /** What somebody types by mistake is mostly another password of his. */
    wrongPassword: canary('errada'),
    gatewayKey: canary('chave'),
    wrongKey: canary('outra'),
    instanceToken: canary('instancia'),
    secretKey: `${canary('mestra')}${canary('mestra')}`,
    metricsToken: canary('metricas'),
    databasePassword: canary('banco'),
  }
}

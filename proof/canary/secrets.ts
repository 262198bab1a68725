import { randomBytes } from 'node:crypto'

export const instanceName = 'loja1'

/** Every secret that is typed or configured. */
export type Secrets = ReturnType<typeof makeSecrets>

export function makeSecrets() {
  const canary = (kind: string) =>
    `CANARIO-${kind}-${randomBytes(15).toString('base64url').replaceAll(/[-_]/g, 'x')}`
  return {
    password: canary('senha'),
    /** A wrong password is often another password of the same person. */
    wrongPassword: canary('errada'),
    gatewayKey: canary('chave'),
    wrongKey: canary('outra'),
    instanceToken: canary('instancia'),
    secretKey: `${canary('mestra')}${canary('mestra')}`,
    metricsToken: canary('metricas'),
    databasePassword: canary('banco'),
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { jwtVerify } from 'jose'
import { sameSecret, type Secrets } from '#server/platform/secrets.ts'
import type { ConfigRow } from '#server/gateway/instances/queries.ts'
import { field, text } from '#server/gateway/evolution/parse/values.ts'

const hour = 60 * 60

// A webhook comes from the configured gateway if it has our secret in the Authorization header; a JWT that
// the gateway signed with that secret, until an hour after its expiry, since retries carry the first token;
// or, for webhooks that were set up by hand, the instance's own key in the body. A user's session is not
// accepted. See security S-18.

/** The token of the Authorization header; undefined when there is none, and the key may be in the body. */
export const bearerIn = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (\S{1,2000})$/.exec(authorization)?.[1]

/** Whether the token of an Authorization header is the gateway's. */
export async function isBearerOf(config: ConfigRow, bearer: string, secrets: Secrets): Promise<boolean> {
  const known = opened(secrets, [
    config.webhookSecretEncrypted,
    config.webhookSecretBeforeEncrypted,
    config.webhookSecretPendingEncrypted,
  ])
  if (known.some((secret) => sameSecret(bearer, secret))) return true
  return bearer.split('.').length === 3 && isSignedBy(known, bearer)
}

/** The key in a parsed body. */
export const keyIn = (body: unknown): string | undefined => text(field(body, 'apikey'))

/** Whether a key from a body is the one of the gateway or of the instance. */
export function isKeyOf(config: ConfigRow, key: string | undefined, secrets: Secrets): boolean {
  if (!key) return false
  const own = opened(secrets, [config.instanceTokenEncrypted, config.apiKeyEncrypted])
  return own.some((one) => sameSecret(key, one))
}

const opened = (secrets: Secrets, sealed: (string | null)[]): string[] =>
  sealed.flatMap((one) => (one ? [secrets.decrypt(one)] : []))

async function isSignedBy(known: string[], token: string): Promise<boolean> {
  for (const secret of known) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        clockTolerance: hour,
        requiredClaims: ['exp'],
      })
      if (payload['app'] === 'evolution' && payload['action'] === 'webhook') return true
    } catch {
      // Try the previous secret.
      continue
    }
  }
  return false
}

import type { IncomingHttpHeaders } from 'node:http'
import { jwtVerify } from 'jose'
import { sameSecret, type Secrets } from '#server/platform/secrets.ts'
import type { ConfigRow } from '#server/gateway/instances/queries.ts'
import { field, text } from '#server/gateway/evolution/parse/values.ts'

const hour = 60 * 60

/**
 * Whether a webhook comes from the configured gateway. Accepted are our secret in the Authorization header; a
 * JWT that the gateway signed with that secret, until an hour after its expiry, since retries carry the first
 * token; and, for webhooks that were set up by hand, the instance's own key in the body. A user's session is
 * not accepted.
 * @see security S-18
 */
export async function isAuthentic(
  config: ConfigRow,
  headers: IncomingHttpHeaders,
  body: unknown,
  secrets: Secrets,
): Promise<boolean> {
  const open = (sealed: string | null) => (sealed ? secrets.decrypt(sealed) : undefined)
  const known = [
    config.webhookSecretEncrypted,
    config.webhookSecretBeforeEncrypted,
    config.webhookSecretPendingEncrypted,
  ]
    .map(open)
    .filter((secret) => secret !== undefined)
  const bearer = /^Bearer (\S{1,2000})$/.exec(headers.authorization ?? '')?.[1]
  if (bearer) {
    if (known.some((secret) => sameSecret(bearer, secret))) return true
    if (bearer.split('.').length === 3) return isSignedBy(known, bearer)
    return false
  }
  const key = text(field(body, 'apikey'))
  if (!key) return false
  const own = [open(config.instanceTokenEncrypted), open(config.apiKeyEncrypted)].filter(
    (one) => one !== undefined,
  )
  return own.some((one) => sameSecret(key, one))
}

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

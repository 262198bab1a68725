import { withoutInvitationLinks } from '#shared/text/invitation-link.ts'

const deepest = 64

/**
 * The body as it is stored: without the gateway's key, without the tokens of invitations, which may stand in
 * any text or quote, and without what jsonb rejects (NUL, unpaired surrogates). Anything nested deeper than
 * any real body is cut off.
 */
export function storable(value: unknown): unknown {
  return keep(value, 0, true)
}

const keysOfGateway = new Set(['apikey', 'api_key'])

/** @param isEnvelope whether the value is the body itself, or one of several in a list */
function keep(value: unknown, depth: number, isEnvelope: boolean): unknown {
  if (typeof value === 'string') return withoutInvitationLinks(value.replaceAll('\0', '').toWellFormed())
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return null
  if (Array.isArray(value)) return value.map((item) => keep(item, depth + 1, isEnvelope))
  const kept: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    const key = name.replaceAll('\0', '').toWellFormed()
    if (isEnvelope && keysOfGateway.has(key)) continue
    // defineProperty, because a key may be `__proto__`.
    Object.defineProperty(kept, key, {
      value: keep(item, depth + 1, false),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return kept
}

const deepest = 64

/**
 * The body as it is kept: without the gateway's key, and without what PostgreSQL's jsonb cannot hold (NUL, halves of
 * surrogate pairs). Anything nested deeper than any real body is cut.
 */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return null
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1))
  const kept: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (depth === 0 && (key === 'apikey' || key === 'api_key')) continue
    // defineProperty, because a key may be called __proto__.
    Object.defineProperty(kept, key.replaceAll('\0', '').toWellFormed(), {
      value: storable(item, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return kept
}

import { sql } from 'drizzle-orm'
import { type Db, rows, tableOf } from '#server/platform/database/db.ts'
import { type Identity, isGivenAddress, jidFor, keysOf } from './identity.ts'

/** A contact found by an identity that is completely known. */
export interface KnownContact {
  id: number
  isBlocked: boolean
}

interface FoundRow extends Record<string, unknown> {
  n: number
  jid: string
  kind: 'phone' | 'lid'
  value: string
  id: number
  isBlocked: boolean
  phone: string | null
  name: string
  hasGatewayName: boolean
  gatewayNamedAt: string | null
}

/**
 * Finds the contacts of many identities at once, locks each for the rest of the transaction in the order of
 * their ids, and stores newer names. `undefined` for an identity that is new, belongs to two contacts, or has
 * an unknown address: those need `contactOf`.
 */
export async function lockKnown(db: Db, identities: Identity[]): Promise<(KnownContact | undefined)[]> {
  const keys = identities.flatMap((identity, n) => keysOf(identity).map((key) => ({ n, ...key })))
  if (keys.length === 0) return identities.map(() => undefined)
  const found = await rows<FoundRow>(
    db,
    // A contact that was merged or anonymized while we waited for its lock is not found.
    sql`select a.n, i.jid, i.kind, i.value, c.id, c.is_blocked as "isBlocked", c.phone, c.name,
               c.has_gateway_name as "hasGatewayName", c.gateway_named_at::text as "gatewayNamedAt"
          from ${tableOf('a', keys, { n: 'int', kind: 'text', value: 'text' })}
          join contact_identities i on i.kind = a.kind and i.value = a.value
          join contacts c on c.id = i.contact_id and c.deleted_at is null and c.erased_at is null
         order by c.id for no key update of c`,
  )
  const byNumber = Map.groupBy(found, (row) => row.n)
  const known = identities.map((identity, n) => {
    const of = byNumber.get(n) ?? []
    const isKnown = of.length === keysOf(identity).length && of.every((row) => isNothingNew(row, identity))
    return isKnown && of.every((row) => row.id === of[0]?.id) ? of[0] : undefined
  })
  await nameMany(db, known, identities)
  return known.map((row) => row && { id: row.id, isBlocked: row.isBlocked })
}

function isNothingNew(row: FoundRow, identity: Identity): boolean {
  const jid = jidFor(row, identity)
  const isKnownJid = row.jid === jid || !isGivenAddress(jid)
  if (!isKnownJid || identity.phone === undefined) return isKnownJid
  return identity.isWriting ? row.phone === identity.phone : row.phone !== null
}

/**
 * The rule of `contactOf`: only a name from the gateway is replaced, and only by one from a newer message.
 */
async function nameMany(db: Db, known: (FoundRow | undefined)[], identities: Identity[]): Promise<void> {
  const named = known.flatMap((row, n) => {
    const { name, namedAt } = identities[n] ?? {}
    if (!row?.hasGatewayName || row.isBlocked || !name) return []
    const isNewer = !namedAt || !row.gatewayNamedAt || namedAt > new Date(row.gatewayNamedAt)
    return isNewer ? [{ id: row.id, name, at: namedAt?.toISOString() ?? null }] : []
  })
  if (named.length === 0) return
  await db.execute(
    sql`update contacts c set name = u.name, gateway_named_at = coalesce(u.at, app_now()),
               updated_at = case when c.name = u.name then c.updated_at else app_now() end
          from ${tableOf('u', named, { id: 'int', name: 'text', at: 'timestamptz' })}
         where c.id = u.id`,
  )
}

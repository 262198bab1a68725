import { sql } from 'drizzle-orm'
import { type Db, rows, tableOf } from '#server/platform/database/db.ts'
import { type Identity, jidFor, keysOf } from './identity.ts'

/** A contact whom an identity names, with nothing to be learned from it. */
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
 * The contacts of many identities at once, each held for the rest of the transaction, in the order of their ids. Their
 * newer names are written down. `undefined` for whoever is new, or two contacts, or comes under an address that nobody
 * has seen: those take `contactOf`.
 */
export async function holdKnown(db: Db, identities: Identity[]): Promise<(KnownContact | undefined)[]> {
  const keys = identities.flatMap((identity, n) => keysOf(identity).map((key) => ({ n, ...key })))
  if (keys.length === 0) return identities.map(() => undefined)
  const found = await rows<FoundRow>(
    db,
    // A contact that was joined to another while we waited for it is deleted by now, and not found.
    sql`select a.n, i.jid, i.kind, i.value, c.id, c.is_blocked as "isBlocked", c.phone, c.name,
               c.has_gateway_name as "hasGatewayName", c.gateway_named_at::text as "gatewayNamedAt"
          from ${tableOf('a', keys, { n: 'int', kind: 'text', value: 'text' })}
          join contact_identities i on i.kind = a.kind and i.value = a.value
          join contacts c on c.id = i.contact_id and c.deleted_at is null
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
  return row.jid === jidFor(row, identity) && (identity.phone === undefined || row.phone !== null)
}

/** As `contactOf` names: only a name of the gateway's gives way, and only to that of a newer message. */
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

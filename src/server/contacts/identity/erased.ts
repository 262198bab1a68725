import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'

/** How an address of a person who was anonymized is remembered: nothing of it can be derived from this. */
export const printOf = (
  secrets: Pick<Secrets, 'fingerprint'>,
  { kind, value }: { kind: 'phone' | 'lid'; value: string },
): string => secrets.fingerprint(`person:${kind}:${value}`)

/**
 * The other form of a mobile of Argentina or Mexico, under which an earlier version may have known somebody
 * who was anonymized then.
 * @param phone in its normal form
 */
export function formerForm(phone: string): string | undefined {
  const [, ofArgentina] = /^549(\d{10})$/.exec(phone) ?? []
  const [, ofMexico] = /^52(\d{10})$/.exec(phone) ?? []
  if (ofArgentina !== undefined) return `54${ofArgentina}`
  return ofMexico && `521${ofMexico}`
}

/**
 * Which of these people were anonymized. An import or a restore leaves them out: only somebody who
 * writes again, or is entered by hand, becomes a contact again.
 * @param phones in their normal form
 */
export async function isErased(
  db: Db,
  secrets: Pick<Secrets, 'fingerprint'>,
  phones: readonly string[],
): Promise<Set<string>> {
  const forms = phones.flatMap((phone) => {
    const former = formerForm(phone)
    return former === undefined
      ? [[phone, phone]]
      : [
          [phone, phone],
          [former, phone],
        ]
  })
  const prints = new Map(
    forms.map(([value = '', phone]) => [printOf(secrets, { kind: 'phone', value }), phone]),
  )
  const found = await rows<{ print: string }>(
    db,
    sql`select a.print from unnest(${sql.param([...prints.keys()])}::text[]) a(print)
         where exists (select 1 from privacy_requests r where r.fingerprints @> array[a.print])`,
  )
  return new Set(found.flatMap(({ print }) => prints.get(print) ?? []))
}

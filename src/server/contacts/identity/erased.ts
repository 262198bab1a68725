import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'

/** How an address of a person who was anonymized is remembered: nothing of it can be derived from this. */
export const printOf = (
  secrets: Pick<Secrets, 'fingerprint'>,
  { kind, value }: { kind: 'phone' | 'lid'; value: string },
): string => secrets.fingerprint(`person:${kind}:${value}`)

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
  const prints = new Map(phones.map((value) => [printOf(secrets, { kind: 'phone', value }), value]))
  const found = await rows<{ print: string }>(
    db,
    sql`select a.print from unnest(${sql.param([...prints.keys()])}::text[]) a(print)
         where exists (select 1 from privacy_requests r where r.fingerprints @> array[a.print])`,
  )
  return new Set(found.flatMap(({ print }) => prints.get(print) ?? []))
}

import { sql } from 'drizzle-orm'
import type { RestoreChoice } from '#shared/maintenance/maintenance.ts'
import { printOf } from '#server/contacts/contacts.ts'
import { rows, type Tx } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { FileLine, Manifest } from '#server/maintenance/archive/manifest.ts'
import { installation } from '#server/schema/installation.ts'
import { findLostLinks } from './links.ts'
import { buildMaps, isSameLine, type Merge, staged } from './maps.ts'
import type { NumberKeys } from './merge.ts'

/** A merge that may take long, while nobody waits for it. */
const longest = '2h'

/** A backup whose rows are in a scratch schema, and what of it is wanted. */
export interface Staging {
  scratch: string
  choice: RestoreChoice
  manifest: Manifest
  /** The files of the backup, by their names. */
  stored: ReadonlyMap<string, FileLine>
}

/** Gathers what the merge needs, and builds its maps, in the transaction that will merge or roll back. */
export async function beginMerge(
  db: Tx,
  secrets: Secrets,
  { scratch, choice, manifest, stored }: Staging,
): Promise<{ merge: Merge; keys: NumberKeys[] }> {
  await db.execute(sql.raw(`set local statement_timeout = '${longest}'`))
  const [own] = await db.select({ uid: installation.uid }).from(installation)
  const isOwn = own?.uid === manifest.installation && (await isSameLine(db, { scratch }))
  const merge: Merge = { scratch, isOwn, choice }
  await db.execute(sql.raw('create temp table erased_contacts (source int primary key) on commit drop'))
  if (choice.restoreComplete) await findErasedContacts(db, secrets, merge)
  await db.execute(sql.raw('create temp table stored_files (name text primary key) on commit drop'))
  await db.execute(
    sql`insert into stored_files select * from unnest(${sql.param([...stored.keys()])}::text[])`,
  )
  await buildMaps(db, merge)
  await findLostLinks(db, merge)
  return { merge, keys: await readKeys(db, secrets, merge) }
}

/** Contacts of the backup whose person was anonymized here since: they do not come back. */
async function findErasedContacts(db: Tx, secrets: Secrets, merge: Merge): Promise<void> {
  if (merge.isOwn)
    await db.execute(
      sql`insert into erased_contacts
          select s.id from ${staged(merge, 'contacts')} s join public.contacts t on t.id = s.id
           where t.erased_at is not null and s.erased_at is null`,
    )
  const requests = await rows(db, sql`select from privacy_requests where kind = 'anonymize' limit 1`)
  if (requests.length === 0) return
  const addresses = await rows<{ source: number; kind: 'phone' | 'lid'; value: string }>(
    db,
    sql`select contact_id as source, kind, value from ${staged(merge, 'contact_identities')}
        union select id, 'phone', phone from ${staged(merge, 'contacts')} where phone is not null`,
  )
  const prints = addresses.map(({ source, ...address }) => ({ source, print: printOf(secrets, address) }))
  await db.execute(
    sql`insert into erased_contacts
        select distinct p.source
          from jsonb_to_recordset(${JSON.stringify(prints)}::jsonb) as p (source int, print text)
          join ${staged(merge, 'contacts')} s on s.id = p.source
         where exists (select from privacy_requests r
                        where r.kind = 'anonymize' and r.fingerprints @> array[p.print]
                          and r.created_at >= s.created_at)
        on conflict do nothing`,
  )
}

/** The keys of the numbers, as they can be stored here. */
async function readKeys(db: Tx, secrets: Secrets, merge: Merge): Promise<NumberKeys[]> {
  const found = await rows<{
    instanceName: string
    apiKey: string
    webhookSecret: string | null
    instanceToken: string | null
    isNew: boolean
  }>(
    db,
    sql`select instance_name as "instanceName", api_key_encrypted as "apiKey",
               webhook_secret_encrypted as "webhookSecret", instance_token_encrypted as "instanceToken",
               m.is_new as "isNew"
          from ${staged(merge, 'evolution_api_config')} s join map_evolution_api_config m on m.source = s.id`,
  )
  const opens = (sealed: string | null) => {
    // A number that was deleted has no key.
    if (sealed === null || sealed === '') return true
    try {
      secrets.decrypt(sealed)
      return true
    } catch {
      return false
    }
  }
  return found.map((number) => ({
    instanceName: number.instanceName,
    isNew: number.isNew,
    isReadable: opens(number.apiKey),
    apiKey: opens(number.apiKey) ? number.apiKey : secrets.encrypt(''),
    webhookSecret: opens(number.webhookSecret) ? number.webhookSecret : null,
    instanceToken: opens(number.instanceToken) ? number.instanceToken : null,
  }))
}

import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { PrivacyProof } from '#shared/maintenance/privacy.ts'
import { eraseFromAudit, record } from '#server/audit/audit.ts'
import { contactNotFound, printOf } from '#server/contacts/contacts.ts'
import { closeOpen } from '#server/conversations/conversations.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { restingImport } from '#server/schema/contacts/contact-imports.ts'
import type { Person } from '#server/schema/declare/person.ts'
import { privacyRequests } from '#server/schema/privacy.ts'
import { declarationOf, schema, type TableName, tableNames } from '#server/schema/schema.ts'
import { lockErasure } from './erasure-lock.ts'
import { cardsOfPerson, gatherPerson, quotingOthers } from './person.ts'

/** How long the gateway may report what was being sent at that moment. */
const echoFor = sql`interval '10 minutes'`
/** A large inbox is read as a whole. Only the person's own rows are locked meanwhile. */
const longest = '10min'

/**
 * Erases all that tells of a contact, in one transaction. Rows, counts and times stay, so every figure is the
 * same as before. The bytes of files are left to `sweepFiles`, which also finds them after a crash.
 * @returns how many rows of each table lost something
 * @throws AppError 404, 409 when it is anonymized already or was changed meanwhile
 */
export function anonymize(
  database: Database,
  secrets: Pick<Secrets, 'fingerprint'>,
  who: Who,
  contactId: number,
): Promise<PrivacyProof> {
  return inTransaction(database, async (db) => {
    await db.execute(sql.raw(`set local statement_timeout = '${longest}'`))
    const person = await lockPerson(db, who, contactId)
    const hasEchoes = await isAnythingUnderWay(db, person)
    const proof = await eraseRows(db, person)
    // Afterwards, so that its own line is not counted as erased.
    await closeOpen(db, person.contactIds, { by: who.id, act: 'anonymized' })
    const inAudit = await eraseAudit(db, who, person)
    if (inAudit > 0) proof['audit_personal'] = inAudit
    const request = await noteRequest(db, {
      kind: 'anonymize',
      contactId,
      userId: who.id,
      proof,
      fingerprints: [
        ...person.phones.map((value) => printOf(secrets, { kind: 'phone', value })),
        ...person.lids.map((value) => printOf(secrets, { kind: 'lid', value })),
      ],
      echoesUntil: hasEchoes ? sql`app_now() + ${echoFor}` : null,
    })
    await record(db, who, { action: 'contact.anonymize', resourceId: contactId, details: { request } })
    for (const conversationId of person.conversationIds) {
      db.emit({ type: 'conversation_updated', conversationId })
      db.emit({ type: 'timeline_changed', conversationId })
    }
    db.signal('outbox')
    return proof
  })
}

/** Enters a request into the register. @returns its id */
export async function noteRequest(
  db: Tx,
  request: Omit<typeof privacyRequests.$inferInsert, 'echoesUntil'> & { echoesUntil?: SQL | null },
): Promise<number> {
  const [made] = await db
    .insert(privacyRequests)
    .values(request as typeof privacyRequests.$inferInsert)
    .returning({ id: privacyRequests.id })
  if (!made) throw new Error('request not written')
  return made.id
}

/**
 * Locks all that a webhook or a reply of the person would lock, in the common order: webhooks that wait,
 * their addresses, their contacts, their conversations.
 */
async function lockPerson(db: Tx, who: Who, contactId: number): Promise<Person> {
  const seen = await gatherPerson(db, contactId)
  const addresses = [...seen.phones, ...seen.lids]
  await db.execute(
    sql`select id from webhook_inbox i
         where processed_at is null and dead_reason is null and instance_id is not null
           and lane in (select g.instance_name || ':' || a
                          from evolution_api_config g, unnest(${sql.param(addresses)}::text[]) a)
         order by id for update`,
  )
  await lockErasure(db, [
    ...seen.lids.map((value) => ({ kind: 'lid', value }) as const),
    ...seen.phones.map((value) => ({ kind: 'phone', value }) as const),
  ])
  for (const lid of seen.lids) await lockName(db, `contact:lid:${lid}`)
  for (const phone of seen.phones) await lockName(db, `contact:phone:${phone}`)
  const held = await rows<{ id: number; isDeleted: boolean; isErased: boolean }>(
    db,
    sql`select id, deleted_at is not null as "isDeleted", erased_at is not null as "isErased"
          from contacts where id = any(${sql.param(seen.contactIds)}::int[]) order by id for update`,
  )
  await confirmRights(who, db)
  const contact = held.find(({ id }) => id === contactId)
  if (!contact || contact.isDeleted) throw contactNotFound()
  if (contact.isErased) throw new AppError('contacts.erased')
  await db.execute(
    sql`select id from conversations where contact_id = any(${sql.param(seen.contactIds)}::int[])
         order by id for update`,
  )
  const person = await gatherPerson(db, contactId)
  const addressesOf = ({ contactIds, phones, lids }: Person) => JSON.stringify([contactIds, phones, lids])
  if (addressesOf(person) !== addressesOf(seen)) throw new AppError('contacts.changed')
  return person
}

/** Whether the gateway may report a message of ours that we do not know the id of. */
async function isAnythingUnderWay(db: Tx, { conversationIds }: Person): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 from outbox where conversation_id = any(${sql.param(conversationIds)}::int[])
           and (state in ('sending', 'unknown') or (state in ('pending', 'failed') and tries > 0)) limit 1`,
  )
  return found.length > 0
}

/** Erases what the tables declare to be personal. @returns the number of rows by table */
async function eraseRows(db: Tx, person: Person): Promise<PrivacyProof> {
  await giveUpImportFiles(db)
  const proof: PrivacyProof = {}
  for (const name of tableNames) {
    const count = await eraseTable(db, name, person)
    if (count > 0) proof[getTableName(schema[name])] = count
  }
  const elsewhere = await eraseElsewhere(db, person)
  if (elsewhere > 0) proof['messages'] = (proof['messages'] ?? 0) + elsewhere
  return proof
}

/** The sweep deletes their bytes, as those of other files. */
async function giveUpImportFiles(db: Tx): Promise<void> {
  await db.execute(
    sql`insert into files (name, size_bytes, mime_type, sha256, is_erased)
        select stored_name, size_bytes, 'text/csv', '', true from contact_imports where ${restingImport}
        on conflict (name) do nothing`,
  )
}

/** What other people's conversations have of the person: quotes of their messages, and contact cards. */
async function eraseElsewhere(db: Tx, person: Person): Promise<number> {
  const quotes = await db.execute(
    sql`update messages set quoted_content = null, version = version + 1 where ${quotingOthers(person)}`,
  )
  const cards = cardsOfPerson(person)
  // The text of a card is the name on it.
  const shared = await db.execute(
    sql`update messages set metadata = ${cards.metadata}, content = '', version = version + 1
         where ${cards.where}`,
  )
  return (quotes.rowCount ?? 0) + (shared.rowCount ?? 0)
}

async function eraseTable(db: Tx, name: TableName, person: Person): Promise<number> {
  const { personal } = declarationOf(name)
  if (!personal) return 0
  const { of, isDeleted } = personal
  const table = sql.identifier(getTableName(schema[name]))
  if (isDeleted) return (await db.execute(sql`delete from ${table} where ${of(person)}`)).rowCount ?? 0
  const columns = getTableColumns(schema[name]) as Record<string, { name: string }>
  const set = Object.entries(personal.columns).map(([column, value]) => {
    const known = columns[column]
    if (!known) throw new Error(`${name} has no column ${column}`)
    return sql`${sql.identifier(known.name)} = ${value}`
  })
  const changed = await db.execute(sql`update ${table} set ${sql.join(set, sql`, `)} where ${of(person)}`)
  return changed.rowCount ?? 0
}

async function eraseAudit(db: Tx, who: Who, { contactIds }: Person): Promise<number> {
  let erased = 0
  for (const resourceId of contactIds)
    erased += await eraseFromAudit(db, who, { resourceType: 'contact', resourceId })
  return erased
}

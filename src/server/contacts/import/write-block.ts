import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '#server/audit/audit.ts'
import { companiesNamed, createNamed } from '#server/companies/companies.ts'
import { type Db, rows, tableOf, type Tx } from '#server/platform/database/db.ts'
import { lockNames } from '#server/platform/database/locks.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { contactCategories } from '#server/schema/contacts/contacts.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { sectorsNamed } from '#server/sectors/sectors.ts'
import { isErased } from '#server/contacts/identity/erased.ts'
import { numberName } from '#server/contacts/identity/numbers.ts'
import { type ContactValues, decide, type Decided, type Held, type ReadRow } from './decide.ts'
import { holdersOf } from './holders.ts'
import { changeImport, type ImportRow } from './queries.ts'

/** A company or a number has changed hands between two statements: the block is worth another attempt. */
export class BlockOvertaken extends Error {}

/**
 * Writes the rows of a block of a locked import: contacts, what became of each row, and how far it is.
 * Numbers are locked first, as in `contactOf`, then sectors, then companies, then contacts.
 * @returns the ids of the known contacts that were changed
 */
export async function writeBlock(
  db: Tx,
  secrets: Pick<Secrets, 'fingerprint'>,
  job: ImportRow,
  given: readonly ReadRow[],
  by: Actor,
): Promise<number[]> {
  const phones = [...new Set(given.flatMap(({ read }) => ('contact' in read ? [read.contact.phone] : [])))]
  await lockNames(db, phones.map(numberName))
  const around = {
    known: job.known,
    sectors: await sectorsNamed(db, namesIn(given, 'sector')),
    categories: await offeredCategories(db, given),
    mayCreateCompanies: job.mayCreateCompanies,
    erased: await isErased(db, secrets, phones),
  }
  const companyNames = namesIn(given, 'company')
  let companies = await companiesNamed(db, companyNames)
  const companyIds = [...job.companyIds]
  if (job.mayCreateCompanies && companyNames.some((name) => !companies.has(name))) {
    const contacts = await contactsWith(db, phones, false)
    const { missing } = decide(given, { ...around, contacts, companies })
    companyIds.push(...(await createNamed(db, by, missing)))
    companies = await companiesNamed(db, companyNames)
  }
  // What is skipped is not changed, and needs no lock.
  const contacts = await contactsWith(db, phones, job.known === 'update')
  const decided = decide(given, { ...around, contacts, companies })
  if (decided.missing.size > 0) throw new BlockOvertaken()
  await insertContacts(db, decided.contacts)
  const changed = decided.contacts.flatMap(({ id, values }) => (id === undefined ? [] : [{ id, values }]))
  await updateContacts(db, changed)
  await finishBlock(db, { ...job, companyIds }, decided)
  return changed.map(({ id }) => id)
}

const namesIn = (given: readonly ReadRow[], field: 'company' | 'category' | 'sector'): string[] =>
  given.flatMap(({ read }) => ('contact' in read && read.contact[field] !== '' ? [read.contact[field]] : []))

/** Their own spelling by the name in lower case; locked, so that who gets one is renamed with it. */
async function offeredCategories(db: Db, given: readonly ReadRow[]): Promise<Map<string, string>> {
  const names = [...new Set(namesIn(given, 'category').map((name) => name.toLowerCase()))]
  if (names.length === 0) return new Map()
  const found = await db
    .select({ name: contactCategories.name })
    .from(contactCategories)
    .where(and(inArray(sql`lower(${contactCategories.name})`, names), eq(contactCategories.isActive, true)))
    .orderBy(contactCategories.id)
    .for('key share')
  return new Map(found.map(({ name }) => [name.toLowerCase(), name]))
}

interface FoundContact extends ContactValues, Record<string, unknown> {
  id: number
}

/** The contacts that have the numbers, by number; locked in the order of their ids if they may change. */
async function contactsWith(db: Db, phones: readonly string[], isLocking: boolean) {
  const holders = await holdersOf(db, phones)
  const ids = [...new Set(holders.values())]
  if (ids.length === 0) return new Map<string, { id: number; values: ContactValues }>()
  const lock = isLocking ? sql`for no key update` : sql``
  const found = await rows<FoundContact>(
    db,
    plannedEachTime(sql`select c.id, c.name, c.has_gateway_name as "hasGatewayName", c.email, c.category,
               c.company_id as "companyId", c.tags, c.notes, c.sector_id as "sectorId"
          from contacts c where c.id = any(${sql.param(ids)}::int[]) and c.deleted_at is null
         order by c.id ${lock}`),
  )
  const values = new Map(found.map(({ id, ...columns }) => [id, columns]))
  return new Map(
    [...holders].flatMap(([phone, id]) => {
      const columns = values.get(id)
      return columns ? [[phone, { id, values: columns }] as const] : []
    }),
  )
}

const valueTypes = {
  name: 'text',
  hasGatewayName: 'boolean',
  email: 'text',
  category: 'text',
  companyId: 'int',
  tags: 'text',
  notes: 'text',
  sectorId: 'int',
} as const

/** Arrays of arrays would be joined into one. */
const asColumns = (values: ContactValues) => ({ ...values, tags: JSON.stringify(values.tags) })
const tagsOf = (alias: SQL) => sql`array(select jsonb_array_elements_text(${alias}.tags::jsonb))`

/** Inserts those without an id, which they get, with their numbers. */
async function insertContacts(db: Db, contacts: readonly Held[]): Promise<void> {
  const made = contacts.filter(({ id }) => id === undefined)
  if (made.length === 0) return
  const given = made.map(({ phone, values }, n) => ({ n, phone, ...asColumns(values) }))
  const table = tableOf('u', given, { n: 'int', phone: 'text', ...valueTypes })
  const inserted = await rows<{ id: number; phone: string }>(
    db,
    sql`insert into contacts (name, has_gateway_name, email, category, company_id, tags, notes, sector_id,
                              phone)
        select u.name, u."hasGatewayName", u.email, u.category, u."companyId", ${tagsOf(sql`u`)}, u.notes,
               u."sectorId", u.phone
          from ${table} order by u.n
        returning id, phone`,
  )
  const ids = new Map(inserted.map(({ phone, id }) => [phone, id]))
  for (const contact of made) contact.id = ids.get(contact.phone)
  // As `giveNumber`: a deleted contact that had it loses it.
  await db.execute(
    sql`insert into contact_identities (contact_id, kind, value, jid)
        select u.id, 'phone', u.phone, u.phone from ${tableOf('u', inserted, { id: 'int', phone: 'text' })}
        on conflict (kind, value) do update set contact_id = excluded.contact_id, jid = excluded.jid`,
  )
}

/** Sets these values of locked contacts; a company or a sector that is gone by now counts as none. */
export async function updateContacts(
  db: Db,
  changed: readonly { id: number; values: ContactValues }[],
): Promise<void> {
  if (changed.length === 0) return
  const given = changed.map(({ id, values }) => ({ id, ...asColumns(values) }))
  await db.execute(
    plannedEachTime(sql`update contacts c
           set name = u.name, has_gateway_name = u."hasGatewayName", email = u.email, category = u.category,
               company_id = (select k.id from companies k where k.id = u."companyId"),
               tags = ${tagsOf(sql`u`)}, notes = u.notes,
               sector_id = (select s.id from sectors s where s.id = u."sectorId" and s.deleted_at is null),
               updated_at = greatest(app_now(), c.updated_at + interval '1 millisecond')
          from ${tableOf('u', given, { id: 'int', ...valueTypes })}
         where c.id = u.id`),
  )
}

const rowTypes = {
  line: 'int',
  outcome: 'text',
  contactId: 'int',
  before: 'text',
  after: 'text',
  cells: 'text',
  field: 'text',
  value: 'text',
  error: 'text',
} as const
type StoredRow = Record<keyof typeof rowTypes, string | number | null>

const nothing: Omit<StoredRow, 'line' | 'outcome'> = {
  contactId: null,
  before: null,
  after: null,
  cells: null,
  field: null,
  value: null,
  error: null,
}

function storedRows({ rows: decisions }: Decided): StoredRow[] {
  return decisions.flatMap((row): StoredRow[] => {
    const { line, outcome } = row
    if (row.outcome === 'kept') return []
    if (row.outcome === 'error') {
      const { field, value, text } = row.error
      return [{ ...nothing, line, outcome, cells: JSON.stringify(row.cells), field, value, error: text }]
    }
    const contactId = row.contact.id ?? null
    if (row.outcome === 'created') return [{ ...nothing, line, outcome, contactId }]
    const [before, after] = [JSON.stringify(row.before), JSON.stringify(row.after)]
    return [{ ...nothing, line, outcome, contactId, before, after }]
  })
}

async function finishBlock(db: Db, job: ImportRow, decided: Decided): Promise<void> {
  const stored = storedRows(decided)
  if (stored.length > 0)
    await db.execute(
      sql`insert into contact_import_rows
                 (import_id, line, outcome, contact_id, before, after, cells, field, value, error)
          select ${job.id}, u.line, u.outcome, u."contactId", u.before::jsonb, u.after::jsonb, u.cells::jsonb,
                 u.field, u.value, u.error
            from ${tableOf('u', stored, rowTypes)}`,
    )
  const count = (outcome: string) => decided.rows.filter((row) => row.outcome === outcome).length
  await changeImport(db, job.id, {
    doneLine: decided.rows.at(-1)?.line ?? job.doneLine,
    doneRows: job.doneRows + decided.rows.length,
    created: job.created + count('created'),
    updated: job.updated + count('updated'),
    kept: job.kept + count('kept'),
    errors: job.errors + count('error'),
    companyIds: job.companyIds,
  })
}

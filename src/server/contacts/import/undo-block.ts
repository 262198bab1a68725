import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { plannedEachTime } from '#server/platform/database/prepared-statements.ts'
import { shareSectors } from '#server/sectors/sectors.ts'
import type { ContactValues } from './decide.ts'
import type { ImportRow } from './queries.ts'
import { updateContacts } from './write-block.ts'

interface DoneRow extends Record<string, unknown> {
  line: number
  outcome: 'created' | 'updated'
  contactId: number
  before: Partial<ContactValues> | null
  after: Partial<ContactValues> | null
}

interface HeldContact extends ContactValues, Record<string, unknown> {
  id: number
  hasConversation: boolean
}

const lastLine = 2_147_483_647

/**
 * Takes back the rows of a locked import before those that are undone, the last ones first. A contact that it
 * created is deleted unless it has a conversation; a changed value goes back where nobody changed it since.
 * @returns the columns of the import that change with that, and the contacts that have others now; it is over
 *   when there was no row left
 */
export async function undoBlock(db: Db, job: ImportRow, limit: number) {
  const done = await rows<DoneRow>(
    db,
    sql`select line, outcome, contact_id as "contactId", before, after from contact_import_rows
         where import_id = ${job.id} and outcome in ('created', 'updated')
           and line < ${job.undoneLine ?? lastLine} order by line desc limit ${limit}`,
  )
  // As whoever deletes one: before the contacts.
  const sectors = await shareSectors(
    db,
    done.flatMap(({ before }) => before?.sectorId ?? []),
  )
  const contacts = await holdContacts(
    db,
    done.map(({ contactId }) => contactId),
  )
  const categories = await categoryNames(db)
  const deleted = new Set<number>()
  const changed = new Map<number, HeldContact>()
  const undone: number[] = []
  for (const { line, outcome, contactId, before, after } of done) {
    const contact = contacts.get(contactId)
    if (!contact) continue
    if (outcome === 'created') {
      if (contact.hasConversation) continue
      deleted.add(contactId)
    } else {
      if (!putBack(contact, { before: before ?? {}, after: after ?? {} }, { categories, sectors })) continue
      changed.set(contactId, contact)
    }
    undone.push(line)
  }
  const restored = [...changed.values()].filter(({ id }) => !deleted.has(id))
  await updateContacts(
    db,
    restored.map(({ id, ...values }) => ({ id, values })),
  )
  await db.execute(
    sql`update contacts set deleted_at = app_now(),
               updated_at = greatest(app_now(), updated_at + interval '1 millisecond')
         where id = any(${sql.param([...deleted])}::int[])`,
  )
  await db.execute(
    sql`update contact_import_rows set is_undone = true
         where import_id = ${job.id} and line = any(${sql.param(undone)}::int[])`,
  )
  return {
    contactIds: restored.map(({ id }) => id),
    isOver: done.length === 0,
    progress: {
      undoneLine: done.at(-1)?.line ?? job.undoneLine ?? lastLine,
      undoneRows: job.undoneRows + done.length,
    },
  }
}

/** How many contacts an undone import has deleted, and how many others have values of before again. */
export async function countUndone(db: Db, { id }: ImportRow): Promise<{ deleted: number; restored: number }> {
  const [row] = await rows<{ deleted: number; restored: number }>(
    db,
    sql`select count(*) filter (where is_deleted)::int as deleted,
               count(*) filter (where not is_deleted)::int as restored
          from (select contact_id, bool_or(outcome = 'created') as is_deleted from contact_import_rows
                 where import_id = ${id} and is_undone group by contact_id) c`,
  )
  return row ?? { deleted: 0, restored: 0 }
}

/** The living ones, locked in the order of their ids. */
async function holdContacts(db: Db, ids: readonly number[]): Promise<Map<number, HeldContact>> {
  const found = await rows<HeldContact>(
    db,
    plannedEachTime(sql`select c.id, c.name, c.has_gateway_name as "hasGatewayName", c.email, c.category,
               c.company_id as "companyId", c.tags, c.notes, c.sector_id as "sectorId",
               false as "hasConversation"
          from contacts c where c.id = any(${sql.param(ids)}::int[]) and c.deleted_at is null
         order by c.id for no key update`),
  )
  // Under the lock: whoever opens one locks the contact first.
  const talking = await rows<{ id: number }>(
    db,
    sql`select distinct contact_id as id from conversations where contact_id = any(${sql.param(ids)}::int[])`,
  )
  const held = new Map(found.map((contact) => [contact.id, contact]))
  for (const { id } of talking) {
    const contact = held.get(id)
    if (contact) contact.hasConversation = true
  }
  return held
}

/** In lower case, with those that stand for none. */
async function categoryNames(db: Db): Promise<ReadonlySet<string>> {
  const found = await rows<{ name: string }>(db, sql`select lower(name) as name from contact_categories`)
  return new Set(['', 'general', ...found.map(({ name }) => name)])
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** @returns whether anything that people see goes back: not to a category or sector that is gone by now */
function putBack(
  contact: HeldContact,
  { before, after }: { before: Partial<ContactValues>; after: Partial<ContactValues> },
  { categories, sectors }: { categories: ReadonlySet<string>; sectors: ReadonlySet<number> },
): boolean {
  const isAsLeft = (name: keyof ContactValues) => name in after && isSame(contact[name], after[name])
  const back = (Object.keys(before) as (keyof ContactValues)[]).filter(
    (name) =>
      isAsLeft(name) &&
      (name !== 'sectorId' || !before.sectorId || sectors.has(before.sectorId)) &&
      (name !== 'category' || categories.has(before.category?.toLowerCase() ?? '')) &&
      // Whose name it is belongs to the name.
      (name !== 'hasGatewayName' || isAsLeft('name')),
  )
  if (back.every((name) => name === 'hasGatewayName' || isSame(before[name], after[name]))) return false
  for (const name of back) Object.assign(contact, { [name]: before[name] })
  return true
}

import { type SQL, sql } from 'drizzle-orm'
import { type Actor, record } from '#server/audit/audit.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { lockNames } from '#server/platform/database/locks.ts'
import { companies } from '#server/schema/contacts/contacts.ts'

/** A company as a file names it. */
export interface NamedCompany {
  id: number
  isActive: boolean
}

/** The companies with these names, ignoring case. @returns by the name as it was given */
export async function companiesNamed(db: Db, names: Iterable<string>): Promise<Map<string, NamedCompany>> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return new Map()
  const found = await rows<{ given: string; id: number; isActive: boolean }>(
    db,
    sql`select w.given, c.id, c.is_active as "isActive"
          from unnest(${sql.param(wanted)}::text[]) w(given)
          join companies c on lower(c.name) = lower(w.given) order by c.id desc`,
  )
  return new Map(found.map(({ given, id, isActive }) => [given, { id, isActive }]))
}

/**
 * Creates the companies with these names, except those that exist by now.
 * @returns the ids of the new ones
 */
export async function createNamed(db: Db, by: Actor, names: Iterable<string>): Promise<number[]> {
  // Of several spellings the first one counts.
  const wanted = new Map([...names].toReversed().map((name) => [name.toLowerCase(), name]))
  await lockNames(
    db,
    [...wanted.keys()].map((name) => `company:${name}`),
  )
  const there = await companiesNamed(db, wanted.values())
  const missing = [...wanted.values()].filter((name) => !there.has(name)).map((name) => ({ name }))
  if (missing.length === 0) return []
  const made = await db
    .insert(companies)
    .values(missing)
    .returning({ id: companies.id, name: companies.name })
  for (const { id, name } of made)
    await record(db, by, { action: 'company.create', resourceId: id, details: { name } })
  return made.map(({ id }) => id)
}

/** Of some companies `k` those that are as they were created, and in which no living contact `c` is. */
const unused = (besides: SQL = sql`true`): SQL =>
  sql`k.updated_at = k.created_at
      and not exists (select from contacts c
                       where c.company_id = k.id and c.deleted_at is null and ${besides})`

/**
 * How many of these companies would be unused if some contacts were gone from them.
 * @param stays whether a contact `c` stays in its company `k`
 */
export async function countUnused(db: Db, ids: readonly number[], stays: SQL): Promise<number> {
  const [row] = await rows<{ count: number }>(
    db,
    sql`select count(*)::int as count from companies k
         where k.id = any(${sql.param(ids)}::int[]) and ${unused(stays)}`,
  )
  return row?.count ?? 0
}

/** Deletes those of these companies that nobody has changed or uses. @returns how many */
export async function deleteUnused(db: Db, by: Actor, ids: readonly number[]): Promise<number> {
  // Whoever gives a contact one of them locks it too. What they have done is seen by the next statement.
  await db.execute(sql`select from companies where id = any(${sql.param(ids)}::int[]) order by id for update`)
  const deleted = await rows<{ id: number; name: string }>(
    db,
    sql`delete from companies k where k.id = any(${sql.param(ids)}::int[]) and ${unused()}
        returning k.id, k.name`,
  )
  for (const { id, name } of deleted)
    await record(db, by, { action: 'company.delete', resourceId: id, details: { name, contacts: 0 } })
  return deleted.length
}

import { sql } from 'drizzle-orm'
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

/** Creates the companies with these names, except those that exist by now. */
export async function createNamed(db: Db, by: Actor, names: Iterable<string>): Promise<void> {
  // Of several spellings the first one counts.
  const wanted = new Map([...names].toReversed().map((name) => [name.toLowerCase(), name]))
  await lockNames(
    db,
    [...wanted.keys()].map((name) => `company:${name}`),
  )
  const there = await companiesNamed(db, wanted.values())
  const missing = [...wanted.values()].filter((name) => !there.has(name)).map((name) => ({ name }))
  if (missing.length === 0) return
  const made = await db
    .insert(companies)
    .values(missing)
    .returning({ id: companies.id, name: companies.name })
  for (const { id, name } of made)
    await record(db, by, { action: 'company.create', resourceId: id, details: { name } })
}

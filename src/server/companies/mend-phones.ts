import { asc, eq, isNotNull } from 'drizzle-orm'
import { phoneAsTyped } from '#shared/text/phone.ts'
import { readCompanyPhone } from '#shared/text/phones/read-phone.ts'
import { listUndoable, record } from '#server/audit/audit.ts'
import { laterThan } from '#server/platform/database/changes.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import { companies } from '#server/schema/contacts/contacts.ts'
import { usualAreaCode } from '#server/settings/settings.ts'

/** A telephone of a company that nobody could enter now, or that would be another one. */
export interface WrongCompanyPhone {
  id: number
  name: string
  phone: string
  to?: string
  /** In Portuguese. */
  problem?: string
}

/** Without those that are only written in another way: what is shown of them stays the same. */
export async function listWrongCompanyPhones(db: Db): Promise<WrongCompanyPhone[]> {
  const areaCode = await usualAreaCode(db)
  const found = await db
    .select({ id: companies.id, name: companies.name, phone: companies.phone })
    .from(companies)
    .where(isNotNull(companies.phone))
    .orderBy(asc(companies.id))
  return found.flatMap(({ id, name, phone }): WrongCompanyPhone[] => {
    if (phone === null) return []
    const read = readCompanyPhone(phone, areaCode)
    if ('problem' in read) return [{ id, name, phone, problem: read.problem }]
    return phoneAsTyped(phone) === phoneAsTyped(read.phone) ? [] : [{ id, name, phone, to: read.phone }]
  })
}

/** @returns in Portuguese why it was left as it is */
export async function mendCompanyPhone(
  database: Database,
  { id, phone, to }: { id: number; phone: string; to: string },
): Promise<string | undefined> {
  return inTransaction(database, async (db) => {
    const name = await changePhone(db, { id, from: phone, to })
    if (name === undefined) return 'mudou depois'
    await record(db, 'command', {
      action: 'company.mend_phone',
      resourceId: id,
      details: { name },
      personal: { changes: { phone: [phone, to] } },
    })
    return undefined
  })
}

/** Takes back what was mended within the last day and has not changed since. */
export async function undoCompanyMending(database: Database): Promise<{ undone: number; left: number }> {
  const counts = { undone: 0, left: 0 }
  for (const act of await listUndoable(database, 'company.mend_phone', 'company.unmend_phone')) {
    const { changes } = act.personal as { changes?: { phone?: [string, string] } }
    const [to, from] = changes?.phone ?? []
    const isUndone = await inTransaction(database, async (db) => {
      if (to === undefined || from === undefined) return false
      const name = await changePhone(db, { id: act.resourceId, from, to })
      if (name === undefined) return false
      await record(db, 'command', {
        action: 'company.unmend_phone',
        resourceId: act.resourceId,
        details: { name, undoneId: act.id },
        personal: { changes: { phone: [from, to] } },
      })
      return true
    })
    counts[isUndone ? 'undone' : 'left'] += 1
  }
  return counts
}

/** @returns the name of the company; undefined when its telephone is another one by now */
async function changePhone(
  db: Db,
  { id, from, to }: { id: number; from: string; to: string },
): Promise<string | undefined> {
  const [company] = await db.select().from(companies).where(eq(companies.id, id)).for('update')
  if (company?.phone !== from) return undefined
  await db
    .update(companies)
    .set({ phone: to, updatedAt: laterThan(companies.updatedAt) })
    .where(eq(companies.id, id))
  return company.name
}

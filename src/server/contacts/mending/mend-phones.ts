import { sql } from 'drizzle-orm'
import { listUndoable, record, type UndoableAct } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { lockNames } from '#server/platform/database/locks.ts'
import { numberName } from '#server/contacts/identity/numbers.ts'
import { holdersOf } from '#server/contacts/import/holders.ts'
import { conflictWith, type StoredPhone } from './stored-phones.ts'

/** Pushes a contact to those who see it. */
type OnChanged = (db: Tx, contactIds: readonly number[]) => Promise<void>

interface Change {
  contactId: number
  identityId: number | null
  from: string
  to: string
}

/**
 * Gives a stored number the form that it would have now. Nothing else of the contact changes: an address that
 * WhatsApp has given stays, and so do its conversations.
 * @returns in Portuguese why it was left as it is: another contact has the number, or it has changed since
 */
export async function mendPhone(
  database: Database,
  { stored, to }: { stored: StoredPhone; to: string },
  onChanged: OnChanged,
): Promise<string | undefined> {
  const { contactId, identityId, phone: from } = stored
  return inTransaction(database, async (db) => {
    const problem = await changeNumber(db, { contactId, identityId, from, to })
    if (problem !== undefined) return problem
    await record(db, 'command', {
      action: 'contact.mend_phone',
      resourceId: contactId,
      details: { identityId },
      personal: { changes: { phone: [from, to] } },
    })
    await onChanged(db, [contactId])
    return undefined
  })
}

/**
 * Takes back what was mended within the last day, the last first. A number that was changed since, or that
 * somebody else has by now, stays.
 */
export async function undoMending(
  database: Database,
  onChanged: OnChanged,
): Promise<{ undone: number; left: number }> {
  const acts = await listUndoable(database, 'contact.mend_phone', 'contact.unmend_phone')
  const counts = { undone: 0, left: 0 }
  for (const act of acts) {
    const { id, resourceId: contactId } = act
    const change = changeOf(act)
    const isUndone = await inTransaction(database, async (db) => {
      if (!change || (await changeNumber(db, change)) !== undefined) return false
      await record(db, 'command', {
        action: 'contact.unmend_phone',
        resourceId: contactId,
        details: { undoneId: id },
        personal: { changes: { phone: [change.from, change.to] } },
      })
      await onChanged(db, [contactId])
      return true
    })
    counts[isUndone ? 'undone' : 'left'] += 1
  }
  return counts
}

/** The way back. */
function changeOf({ resourceId, details, personal }: UndoableAct): Change | undefined {
  const { identityId } = details as { identityId?: number | null }
  const { changes } = personal as { changes?: { phone?: [string, string] } }
  const [to, from] = changes?.phone ?? []
  if (from === undefined || to === undefined) return undefined
  return { contactId: resourceId, identityId: identityId ?? null, from, to }
}

/** @returns why not */
async function changeNumber(
  db: Db,
  { contactId, identityId, from, to }: Change,
): Promise<string | undefined> {
  await lockNames(db, [numberName(from), numberName(to)])
  const [contact] = await rows<{ phone: string | null }>(
    db,
    sql`select phone from contacts
         where id = ${contactId} and deleted_at is null and erased_at is null for no key update`,
  )
  const changed = 'mudou depois'
  if (!contact) return changed
  const holder = (await holdersOf(db, [to])).get(to)
  if (holder !== undefined) return conflictWith(holder)
  const isStill = await rows(
    db,
    sql`select from contact_identities
         where id = ${identityId} and contact_id = ${contactId} and kind = 'phone' and value = ${from}`,
  )
  if (identityId === null ? contact.phone !== from : isStill.length === 0) return changed
  if (identityId !== null) {
    // A deleted contact that had it loses it, as when somebody enters the number.
    await db.execute(sql`delete from contact_identities where kind = 'phone' and value = ${to}`)
    await db.execute(
      sql`update contact_identities
             set value = ${to}, jid = case when jid like '%@%' then jid else ${to} end
           where id = ${identityId}`,
    )
  }
  if (contact.phone === from)
    await db.execute(
      sql`update contacts set phone = ${to},
                 updated_at = greatest(app_now(), updated_at + interval '1 millisecond')
           where id = ${contactId}`,
    )
  return undefined
}

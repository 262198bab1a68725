import { mostShownAnHour } from '#shared/contacts/shown-phone.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { countUp } from '#server/users/users.ts'
import { findContactRow } from './queries.ts'

/**
 * The number of a contact. To somebody from whom numbers are hidden it is shown if they may have that, and
 * recorded.
 * @returns null for one of whom only the LID is known
 * @throws AppError 404, 403 when it stays hidden, 429 after too many within an hour
 */
export async function showPhone(database: Database, who: Who, id: number): Promise<string | null> {
  return inTransaction(database, async (db) => {
    await confirmRights(who, db)
    if (who.hidesPhones && !who.revealsPhones) throw new AppError('contacts.phones_hidden')
    const contact = await findContactRow(db, id)
    if (!contact) throw new AppError('contacts.not_found')
    if (!who.hidesPhones || contact.phone === null) return contact.phone
    const count = await countUp(db, `phone_shown:${who.id}`, 60)
    if (count > mostShownAnHour)
      throw new AppError('contacts.phones_shown_often', { values: { count: String(mostShownAnHour) } })
    await record(db, who, { action: 'contact.show_phone', resourceId: id })
    return contact.phone
  })
}

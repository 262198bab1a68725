import { contactByPhone, getContact, listCategories } from '#shared/contacts.ts'
import { AppError } from '#shared/errors.ts'
import { normalizePhone } from '#shared/phone.ts'
import { record } from '#server/audit/audit.ts'
import type { Who } from '#server/platform/access.ts'
import { type Database, inTransaction } from '#server/platform/db.ts'
import type { Http } from '#server/platform/http.ts'
import { toCard } from './card.ts'
import { contactOf, findByPhone } from './identity.ts'
import { findContactRow, listCategoryRows } from './queries.ts'

export function contactRoutes({ route }: Http, { database }: { database: Database }): void {
  route(getContact, [['canViewContacts', 'canViewConversations']], async ({ params }) => {
    const row = await findContactRow(database, params.id)
    if (!row) throw new AppError('request.not_found', 404)
    const { email, tags, notes, createdAt } = row
    return { ...toCard(row), email, tags, notes, createdAt: createdAt.toISOString() }
  })

  route(
    contactByPhone,
    {
      'POST /api/contacts/by-phone (known)': [['canViewContacts', 'canViewConversations']],
      'POST /api/contacts/by-phone (new)': ['canCreateContacts'],
    },
    async ({ body, who, permit }) => {
      const phone = normalizePhone(body.phone)
      if (phone === undefined) throw new AppError('request.invalid', 400)
      const known = await findByPhone(database, phone)
      permit(`POST /api/contacts/by-phone (${known === undefined ? 'new' : 'known'})`)
      const row = await findContactRow(database, known ?? (await make(who, phone, body.name)))
      if (!row) throw new AppError('request.not_found', 404)
      return toCard(row)
    },
  )

  /** Found under the number's lock: of two who make one at once the second gets the first one's. */
  const make = (who: Who, phone: string, name: string) =>
    inTransaction(database, async (db) => {
      const identity = { phone, lid: undefined, jid: `${phone}@s.whatsapp.net`, name: name || undefined }
      const { id } = await contactOf(db, identity)
      await record(db, { userId: who.id, action: 'contact.create', resourceType: 'contact', resourceId: id })
      return id
    })

  route(listCategories, [['canViewContacts', 'canViewConversations']], () =>
    listCategoryRows(database).execute(),
  )
}

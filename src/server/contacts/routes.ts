import {
  createContact,
  deleteContact as deleteCall,
  listTags,
  restoreContact as restoreCall,
} from '#shared/contacts/contact-changes.ts'
import { contactByPhone, getContact, listContacts } from '#shared/contacts/contacts.ts'
import { listCategories } from '#shared/contacts/contact-categories.ts'
import { createCategory, listManagedCategories } from '#shared/contacts/managed-categories.ts'
import { exportContacts } from '#shared/contacts/contact-imports.ts'
import { exportedSector, exportHead } from '#shared/text/contacts/exported-contact.ts'
import { showPhone as showPhoneCall } from '#shared/contacts/shown-phone.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { csvAnswer } from '#server/platform/http/answers/csv-answer.ts'
import { xlsxAnswer } from '#server/platform/http/answers/xlsx-answer.ts'
import type { Http } from '#server/platform/http/http.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { areSectors } from '#server/sectors/sectors.ts'
import { getSettings, typedPhone } from '#server/settings/settings.ts'
import { type ImportRoutesContext, importRoutes } from '#server/contacts/import/routes.ts'
import { toCard, toContact } from './card.ts'
import { addCategory, listCategoryRows, listManagedRows } from './categories.ts'
import { addContact, deleteContact, restoreContact } from './change.ts'
import { contactNotFound, readContact } from './contacts.ts'
import { exportedRows } from './export.ts'
import { contactOf, findByPhone } from './identity/identity.ts'
import { contactsOf, listContactPage, listTagCounts } from './list.ts'
import { findContactRow } from './queries.ts'
import { showPhone } from './show-phone.ts'

export function routes(http: Http, context: ImportRoutesContext): void {
  importRoutes(http, context)
  contactCalls(http, context)
}

function contactCalls({ route, routeByRow }: Http, { database }: { database: Database }): void {
  route(listContacts, async ({ query: { page = 1, limit = 10, ...filter }, who }) => {
    const { rows, total, hasMore } = await listContactPage(database, who, { page, limit, ...filter })
    const totalPages = Math.max(1, Math.ceil(total / limit))
    return {
      contacts: rows.map(toContact),
      pagination: { page, limit, total, ...(hasMore && { hasMore }), totalPages },
    }
  })

  route(exportContacts, async ({ query: { format, ...filter }, who, reply }) => {
    const { timezone } = await getSettings(database)
    const where = contactsOf(who, filter)
    const count = await database.$count(contacts, where)
    // Before the first row leaves: also one who breaks it off has taken something.
    await record(database, who, { action: 'contact.export', details: { filter, format, rows: count } })
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(await appNow(database))
    const hasSectors = await areSectors(database)
    const found = exportedRows(database, who, where, { timezone, hasSectors })
    const head = hasSectors ? [...exportHead, exportedSector] : exportHead
    return format === 'csv'
      ? csvAnswer(reply, `contatos-${day}.csv`, head, found)
      : xlsxAnswer(
          reply,
          { fileName: `contatos-${day}.xlsx`, sheet: 'Contatos', times: ['Criado em'] },
          head,
          found,
        )
  })

  route(listTags, ({ query }) => listTagCounts(database, query.search))

  route(getContact, ({ params }) => readContact(database, params.id))

  route(showPhoneCall, async ({ params: { id }, who }) => ({
    contactId: id,
    number: await showPhone(database, who, id),
  }))

  route(createContact, async ({ body, who }) =>
    readContact(database, await inTransaction(database, (db) => addContact(db, who, body))),
  )

  route(deleteCall, async ({ params, who }) => {
    await inTransaction(database, (db) => deleteContact(db, who, params.id))
    return undefined
  })

  route(restoreCall, async ({ params, who }) => {
    await inTransaction(database, (db) => restoreContact(db, who, params.id))
    return readContact(database, params.id)
  })

  routeByRow(contactByPhone, async ({ body, who, permit }) => {
    const phone = await typedPhone(database, body.phone)
    const known = await findByPhone(database, phone)
    permit(`POST /api/contacts/by-phone (${known === undefined ? 'new' : 'known'})`)
    const row = await findContactRow(database, known ?? (await make(who, phone, body.name)))
    if (!row) throw contactNotFound()
    return toCard(row)
  })

  /** Holds the lock of the number: of two parallel requests the second finds the contact of the first. */
  const make = (who: Who, phone: string, name: string) =>
    inTransaction(database, async (db) => {
      const identity = { phone, lid: undefined, jid: phone, name: name || undefined }
      const { id } = await contactOf(db, identity)
      await confirmRights(who, db)
      const personal = { name: name || null, phone }
      await record(db, who, { action: 'contact.create', resourceId: id, personal })
      return id
    })

  route(listCategories, () => listCategoryRows(database))

  route(listManagedCategories, () => listManagedRows(database))

  route(createCategory, async ({ body, who }) => ({
    id: await inTransaction(database, (db) => addCategory(db, who, body)),
  }))
}

import { deleteCompany as deleteCall, mergeCompany, updateCompany } from '#shared/contacts/companies.ts'
import { changeCompany, deleteCompany, mergeCompanies } from '#server/companies/companies.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'

/** The calls about companies that also change what conversations show. */
export function companyChangeRoutes({ route }: Http, { database }: { database: Database }): void {
  route(updateCompany, ({ params, body, who }) =>
    inTransaction(database, async (db) => {
      const { company, contactIds } = await changeCompany(db, who, params.id, body)
      await notifyContactsChanged(db, contactIds)
      return company
    }),
  )

  route(mergeCompany, ({ params, body, who }) =>
    inTransaction(database, async (db) => {
      const { company, contactIds } = await mergeCompanies(db, who, params.id, body.otherId)
      await notifyContactsChanged(db, contactIds)
      return company
    }),
  )

  route(deleteCall, async ({ params, who }) => {
    await inTransaction(database, async (db) =>
      notifyContactsChanged(db, await deleteCompany(db, who, params.id)),
    )
    return undefined
  })
}

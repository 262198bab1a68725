import { deleteCategory as deleteCall, updateCategory } from '#shared/contacts/managed-categories.ts'
import { changeCategory, deleteCategory } from '#server/contacts/contacts.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'

/** The calls about categories that also change what conversations show. */
export function categoryChangeRoutes({ route }: Http, { database }: { database: Database }): void {
  route(updateCategory, async ({ params, body, who }) => {
    await inTransaction(database, async (db) =>
      notifyContactsChanged(db, await changeCategory(db, who, params.id, body)),
    )
    return undefined
  })

  route(deleteCall, async ({ params, who }) => {
    await inTransaction(database, async (db) =>
      notifyContactsChanged(db, await deleteCategory(db, who, params.id)),
    )
    return undefined
  })
}

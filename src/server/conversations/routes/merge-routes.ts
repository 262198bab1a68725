import {
  keepContactsApart,
  listDuplicates as duplicatesCall,
  listMerges as mergesCall,
  mergeContact,
  undoMerge as undoCall,
} from '#shared/contacts/contact-merges.ts'
import { declareDistinct, listDuplicates, listMerges, readContact } from '#server/contacts/contacts.ts'
import { mergeByHand } from '#server/conversations/incoming/merge.ts'
import { undoMerge } from '#server/conversations/incoming/undo-merge.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'

/** The calls about contacts that are one person, or are not. */
export function mergeRoutes({ route }: Http, { database }: { database: Database }): void {
  route(duplicatesCall, () => listDuplicates(database))

  route(mergesCall, () => listMerges(database))

  route(mergeContact, async ({ params: { id }, body: { otherId }, who }) => {
    await inTransaction(database, (db) => mergeByHand(db, who, id, otherId))
    return readContact(database, id)
  })

  route(undoCall, async ({ params, who }) => {
    await inTransaction(database, (db) => undoMerge(db, who, params.id))
    return undefined
  })

  route(keepContactsApart, async ({ params: { id }, body: { otherId }, who }) => {
    await inTransaction(database, (db) => declareDistinct(db, who, id, otherId))
    return undefined
  })
}

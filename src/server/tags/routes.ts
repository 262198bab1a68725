import { createTag, deleteTag, listManagedTags, orderTags, updateTag } from '#shared/tags/managed-tags.ts'
import { listTags } from '#shared/tags/tags.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { listAsking } from '#server/reasons/reasons.ts'
import { addTag, changeTag, mayChange, removeTag, setOrder } from './change.ts'
import { countUses, listTagRows, toTag } from './queries.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listTags, async ({ who }) => {
    const [all, asking] = await Promise.all([listTagRows(database), listAsking(database, who, 'askTag')])
    return { tags: all.map(toTag), ...asking }
  })

  route(listManagedTags, async ({ who }) => {
    const [all, uses] = await Promise.all([listTagRows(database), countUses(database)])
    return all.map((row) => ({
      ...toTag(row),
      uses: uses.get(row.id) ?? 0,
      version: row.version,
      isChangeable: mayChange(who, row.sectorId),
    }))
  })

  route(createTag, ({ body, who }) =>
    inTransaction(database, async (db) => ({ id: await addTag(db, who, body) })),
  )

  route(updateTag, async ({ params, body, who }) => {
    await inTransaction(database, (db) => changeTag(db, who, params.id, body))
    return undefined
  })

  route(orderTags, async ({ body, who }) => {
    await inTransaction(database, (db) => setOrder(db, who, body.ids))
    return undefined
  })

  route(deleteTag, async ({ params, who }) => {
    await inTransaction(database, (db) => removeTag(db, who, params.id))
    return undefined
  })
}

import { listMacros } from '#shared/macros/macros.ts'
import {
  createMacro,
  deleteMacro,
  listManagedMacros,
  updateMacro,
  uploadMacroFile,
} from '#shared/macros/managed-macros.ts'
import { receiveFile } from '#server/media/media.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import { addMacro, changeMacro, removeMacro } from './change.ts'
import { listSeen, listUsable } from './queries.ts'

export function routes({ route }: Http, { database, files }: { database: Database; files: FileStore }): void {
  route(listMacros, ({ who }) => listUsable(database, who))

  route(listManagedMacros, ({ who }) => listSeen(database, who))

  route(createMacro, ({ body, who }) =>
    inTransaction(database, async (db) => ({ id: await addMacro(db, who, body) })),
  )

  route(updateMacro, ({ params, body, who }) =>
    inTransaction(database, async (db) => ({ version: await changeMacro(db, who, params.id, body) })),
  )

  route(deleteMacro, async ({ params, who }) => {
    await inTransaction(database, (db) => removeMacro(db, who, params.id))
    return undefined
  })

  route(uploadMacroFile, ({ who, request }) => receiveFile({ database, files }, who, request))
}

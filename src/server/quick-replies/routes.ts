import { AppError } from '#shared/errors.ts'
import {
  createQuickReply,
  deleteQuickReply,
  importQuickReplies,
  updateQuickReply,
  uploadQuickReplyFile,
} from '#shared/quick-replies/managed-replies.ts'
import { getQuickReplyFile, listQuickReplies } from '#shared/quick-replies/quick-replies.ts'
import { getQuickResponseFile, uploadQuickResponseFile } from '#shared/settings/settings-endpoints.ts'
import { receiveFile, serveFile } from '#server/media/media.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import { addReplies, addReply, changeReply, mayChange, removeReply } from './change.ts'
import { findGeneralFile, findReplyFile } from './files.ts'
import { findSeen, listKnown } from './queries.ts'

export function routes({ route }: Http, { database, files }: { database: Database; files: FileStore }): void {
  route(listQuickReplies, ({ who }) => listKnown(database, who, (row) => mayChange(who, row)))

  route(createQuickReply, ({ body, who }) =>
    inTransaction(database, async (db) => ({ id: await addReply(db, who, body) })),
  )

  route(updateQuickReply, async ({ params, body, who }) => {
    await inTransaction(database, (db) => changeReply(db, who, params.id, body))
    return undefined
  })

  route(deleteQuickReply, async ({ params, who }) => {
    await inTransaction(database, (db) => removeReply(db, who, params.id))
    return undefined
  })

  route(importQuickReplies, ({ body, who }) =>
    inTransaction(database, async (db) => ({ ids: await addReplies(db, who, body) })),
  )

  route(uploadQuickReplyFile, ({ who, request }) => receiveFile({ database, files }, who, request))

  route(getQuickReplyFile, async ({ params, who, request, reply }) => {
    const file = (await findSeen(database, who, params.id))?.file
    if (!file) throw new AppError('media.not_found')
    const row = await findReplyFile(database, file.name)
    return serveFile(files, { request, reply }, row, { fileName: file.fileName, isDownload: true })
  })

  route(uploadQuickResponseFile, ({ who, request }) => receiveFile({ database, files }, who, request))

  route(getQuickResponseFile, async ({ params, request, reply }) => {
    const { row, fileName } = await findGeneralFile(database, params.name)
    return serveFile(files, { request, reply }, row, { fileName, isDownload: true })
  })
}

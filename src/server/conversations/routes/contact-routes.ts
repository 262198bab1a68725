import {
  listContactConversations,
  listContactMedia,
  listContactRatings,
  listConversationMedia,
} from '#shared/conversations/contact-history.ts'
import { blockContact, unblockContact } from '#shared/contacts/contact-changes.ts'
import { getContactAvatar, updateContact } from '#shared/contacts/contacts.ts'
import { AppError } from '#shared/errors.ts'
import {
  changeContact,
  contactNotFound,
  findAvatarName,
  findCard,
  readContact,
  setBlocked,
} from '#server/contacts/contacts.ts'
import { findFile, serveFile } from '#server/media/media.ts'
import { BuiltAnswer } from '#server/platform/http/answers/built-answer.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import { closeBlocked } from '#server/conversations/acts/close-blocked.ts'
import { expectReadable, noteReading } from '#server/conversations/store/access.ts'
import {
  listContactHistory,
  listContactMediaRows,
  listContactRatingRows,
  listMediaRows,
} from '#server/conversations/reading/contact-history.ts'
import { toConversation, toMessage } from '#server/conversations/store/serializers.ts'
import { notifyContactsChanged } from '#server/conversations/store/write.ts'

/** The calls about contacts that also read or change conversations. */
export function contactHistoryRoutes(
  { route, routeByRow }: Http,
  { database, files }: { database: Database; files: FileStore },
): void {
  route(updateContact, async ({ params: { id }, body, who }) => {
    await inTransaction(database, async (db) => {
      if (await changeContact(db, who, id, body)) await notifyContactsChanged(db, [id])
    })
    return readContact(database, id)
  })

  route(blockContact, async ({ params: { id }, who }) => {
    await inTransaction(database, async (db) => {
      if (await setBlocked(db, who, id, true)) await closeBlocked(db, id, who.id)
    })
    return readContact(database, id)
  })

  route(unblockContact, async ({ params: { id }, who }) => {
    await inTransaction(database, (db) => setBlocked(db, who, id, false))
    return readContact(database, id)
  })

  route(getContactAvatar, async ({ params, query, request, reply }) => {
    const name = await findAvatarName(database, params.id)
    const file = name === undefined ? undefined : await findFile(database, name)
    if (!file) throw new AppError('media.not_found')
    const isLasting = query.v === name
    return serveFile(files, { request, reply }, file, { fileName: null, isDownload: false, isLasting })
  })

  route(listContactConversations, async ({ params, query, who }) => {
    if (!(await findCard(database, params.id))) throw contactNotFound()
    const found = await listContactHistory(database, who, params.id, query.before)
    return new BuiltAnswer(found.map(toConversation))
  })

  route(listContactRatings, async ({ params, query, who }) => {
    if (!(await findCard(database, params.id))) throw contactNotFound()
    return listContactRatingRows(database, who, params.id, query.before)
  })

  route(listContactMedia, async ({ params, query, who }) => {
    if (!(await findCard(database, params.id))) throw contactNotFound()
    const found = await listContactMediaRows(database, who, params.id, query)
    for (const conversation of found.conversations) await noteReading(database, who, conversation)
    return new BuiltAnswer(found.rows.map(toMessage))
  })

  routeByRow(listConversationMedia, async ({ params, query, who, permit }) => {
    permit('GET /api/conversations/{open}/media')
    const row = listConversationMedia.rows['GET /api/conversations/{completed}/media']
    await noteReading(database, who, await expectReadable(database, who, params.id, row))
    return new BuiltAnswer((await listMediaRows(database, who, params.id, query)).map(toMessage))
  })
}

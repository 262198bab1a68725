import { listMentionable } from '#shared/messages/mentions.ts'
import { listNotes } from '#shared/messages/newest-notes.ts'
import { deleteNote, editNote, writeNote } from '#shared/messages/notes.ts'
import { follow, getFollowing, unfollow } from '#shared/notifications/following.ts'
import { isFollowed, setFollowed } from '#server/notifications/notifications.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { changeNote, removeNote, storeNote } from '#server/conversations/messages/notes.ts'
import { readMentionable } from '#server/conversations/messages/mentions.ts'
import { readNewestNotes } from '#server/conversations/reading/newest-notes.ts'
import { expectReadable } from '#server/conversations/store/access.ts'
import { readMessage } from './composer-routes.ts'

/**
 * The calls about internal notes, and about following. Whether a completed conversation takes notes is asked
 * under its lock.
 */
export function noteRoutes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  routeByRow(writeNote, async ({ params, body, who, permit }) => {
    permit('POST /api/conversations/{open}/notes')
    return readMessage(database, await storeNote(database, who, params.id, body))
  })

  routeByRow(editNote, async ({ params: { id: conversationId, messageId }, body, who, permit }) => {
    permit('PATCH /api/conversations/{open}/notes/{messageId}')
    await changeNote(database, who, { conversationId, messageId, ...body })
    return readMessage(database, messageId)
  })

  routeByRow(deleteNote, async ({ params: { id: conversationId, messageId }, who, permit }) => {
    permit('DELETE /api/conversations/{open}/notes/{messageId}')
    await removeNote(database, who, { conversationId, messageId })
    return readMessage(database, messageId)
  })

  routeByRow(listNotes, async ({ params, who, permit }) => {
    permit('GET /api/conversations/{open}/notes')
    return readNewestNotes(database, who, params.id)
  })

  routeByRow(listMentionable, async ({ params, who, permit }) => {
    permit('GET /api/conversations/{open}/mentionable')
    return readMentionable(database, who, params.id)
  })

  route(getFollowing, async ({ params, who }) => {
    await expectReadable(database, who, params.id)
    return { isFollowed: await isFollowed(database, params.id, who.id) }
  })

  const set = async (who: Who, conversationId: number, isWanted: boolean) => {
    await inTransaction(database, async (db) => {
      await expectReadable(db, who, conversationId)
      await setFollowed(db, { conversationId, userId: who.id }, isWanted)
    })
    return { isFollowed: isWanted }
  }

  route(follow, ({ params, who }) => set(who, params.id, true))
  route(unfollow, ({ params, who }) => set(who, params.id, false))
}

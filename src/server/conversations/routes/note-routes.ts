import { listNotes } from '#shared/messages/newest-notes.ts'
import { deleteNote, editNote, writeNote } from '#shared/messages/notes.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { changeNote, removeNote, storeNote } from '#server/conversations/messages/notes.ts'
import { readNewestNotes } from '#server/conversations/reading/newest-notes.ts'
import { readMessage } from './composer-routes.ts'

/** The calls about internal notes: whether a completed conversation takes them is asked under its lock. */
export function noteRoutes({ routeByRow }: Http, { database }: { database: Database }): void {
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
}

import type { Message } from '#shared/messages/messages.ts'
import { listDrafts as listDraftsCall, saveDraft as saveDraftCall } from '#shared/conversations/drafts.ts'
import {
  deleteMessage as deleteMessageCall,
  editMessage as editMessageCall,
  undoSend as undoSendCall,
} from '#shared/messages/message-changes.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { deleteMessage, editMessage, undoSend } from '#server/conversations/outgoing/change-sent.ts'
import { listDrafts, saveDraft } from '#server/conversations/drafts/drafts.ts'
import { messageAfterAct } from '#server/conversations/store/access.ts'
import { toMessage } from '#server/conversations/store/serializers.ts'

/** The calls about drafts and about changes of sent messages. */
export function composerRoutes({ route }: Http, deps: { database: Database; gateway: Gateway }): void {
  const { database } = deps
  route(listDraftsCall, ({ who }) => listDrafts(database, who))

  route(saveDraftCall, async ({ params, body, who }) => ({
    draft: await saveDraft(database, who, { conversationId: params.id, ...body }),
  }))

  route(editMessageCall, async ({ params, body, who }) => {
    const { id: conversationId, messageId } = params
    await editMessage(deps, who, { conversationId, messageId, ...body })
    return readMessage(database, messageId)
  })

  route(deleteMessageCall, async ({ params, who }) => {
    const { id: conversationId, messageId } = params
    await deleteMessage(deps, who, { conversationId, messageId })
    return readMessage(database, messageId)
  })

  route(undoSendCall, async ({ params, who }) => {
    await undoSend(deps, who, { conversationId: params.id, messageId: params.messageId })
    return undefined
  })
}

/** @throws AppError as `messageAfterAct` */
export async function readMessage(db: Db, id: number): Promise<Message> {
  return toMessage(await messageAfterAct(db, id))
}

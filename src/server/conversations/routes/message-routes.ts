import {
  forwardMessage,
  getMessageDetails,
  searchMessages,
  transcribeMessage,
} from '#shared/messages/message-endpoints.ts'
import { BuiltAnswer } from '#server/platform/http/answers/built-answer.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import {
  recentConversationFor,
  expectReadable,
  messageFor,
  noteReading,
} from '#server/conversations/store/access.ts'
import { listVersionRows } from '#server/conversations/store/message-rows.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import type { SendReceipt } from '#server/conversations/outgoing/receipts.ts'
import { forward } from '#server/conversations/media/forward.ts'
import type { MessageFiles } from '#server/conversations/media/message-files.ts'
import { askForWords } from '#server/conversations/transcriptions/ask.ts'
import { findMessages } from '#server/conversations/reading/search-messages.ts'

import { readMessage } from './composer-routes.ts'

/** The calls that find, tell about and forward messages. */
export function messageRoutes(
  { routeByRow }: Http,
  deps: { database: Database; files: FileStore; messageFiles: MessageFiles; sendReceipt: SendReceipt },
): void {
  const { database, sendReceipt } = deps
  routeByRow(searchMessages, async ({ params, query, who, permit }) => {
    permit('GET /api/conversations/{open}/messages/search')
    return new BuiltAnswer(await findMessages(database, who, params.id, query.words))
  })

  routeByRow(getMessageDetails, async ({ params: { id: conversationId, messageId }, who, permit }) => {
    permit('GET /api/conversations/{open}/messages/{messageId}/details')
    const row = getMessageDetails.rows['GET /api/conversations/{completed}/messages/{messageId}/details']
    await noteReading(database, who, await expectReadable(database, who, conversationId, row))
    const { deliveredAt, readAt } = await messageFor(database, who, { conversationId, messageId })
    const versions = await listVersionRows(database, conversationId, messageId)
    return {
      deliveredAt: deliveredAt?.toISOString() ?? null,
      readAt: readAt?.toISOString() ?? null,
      versions: versions.map(({ content, replacedAt }) => ({
        content,
        replacedAt: replacedAt.toISOString(),
      })),
    }
  })

  routeByRow(transcribeMessage, async ({ params: { id: conversationId, messageId }, who, permit }) => {
    permit('POST /api/conversations/{open}/messages/{messageId}/transcription')
    const row =
      transcribeMessage.rows['POST /api/conversations/{completed}/messages/{messageId}/transcription']
    await askForWords(database, who, { conversationId, messageId }, row)
    return readMessage(database, messageId)
  })

  const toConversationRow = 'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)'
  const toContactRow = 'POST /api/conversations/{id}/messages/{messageId}/forward (contact)'
  routeByRow(forwardMessage, async ({ params, body, who, permit }) => {
    permit('contactId' in body.to ? toContactRow : toConversationRow)
    const source = { conversationId: params.id, messageId: params.messageId }
    const { id, receipt } = await forward(deps, who, source, body)
    sendReceipt(receipt)
    const message = await readMessage(database, id)
    const receiver = await recentConversationFor(database, who, message.conversationId)
    return { conversation: toConversation(receiver), message }
  })
}

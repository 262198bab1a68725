import {
  assignOperator,
  deleteConversation as deleteConversationCall,
  finalizeConversation,
  getConversation,
  listConversations,
  setPriority,
  startConversation,
  takeNextConversation,
  toggleAutoClose,
  transferConversation,
  undoFinalize as undoFinalizeCall,
  viewConversation,
} from '#shared/conversations/conversation-endpoints.ts'
import {
  setSector as setSectorCall,
  transferToSector as transferToSectorCall,
} from '#shared/sectors/conversation-sector.ts'
import { changeConversationReason, listLastReasons } from '#shared/reasons/conversation-reason.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import {
  listMessages,
  listMessageVersions,
  reactToMessage,
  retryMessage as retryMessageCall,
  sendMessage,
  sendToContact as sendToContactCall,
} from '#shared/messages/message-endpoints.ts'
import { getStats } from '#shared/conversations/stats.ts'
import { AppError } from '#shared/errors.ts'
import {
  listReads,
  markRead as markReadCall,
  markUnread as markUnreadCall,
} from '#shared/conversations/reads.ts'
import { handOver as handOverCall } from '#shared/conversations/hand-over.ts'
import type { Who } from '#server/platform/http/access.ts'
import { findCard } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import { readNotificationsOf } from '#server/notifications/notifications.ts'
import { BuiltAnswer } from '#server/platform/http/answers/built-answer.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Http } from '#server/platform/http/http.ts'
import {
  conversationFor,
  recentConversationFor,
  conversationNotFound,
  expectReadable,
  seesOrRecentlySaw,
  messageFor,
  noteReading,
  readTimeline,
} from '#server/conversations/store/access.ts'
import { prioritize, recordView, setAutoClose } from '#server/conversations/acts/acts.ts'
import { assign, finalize, transfer } from '#server/conversations/acts/assign.ts'
import { changeReason } from '#server/conversations/acts/complete.ts'
import { takeNext } from '#server/conversations/acts/take-next.ts'
import { undoFinalize } from '#server/conversations/acts/undo-finalize.ts'
import { deleteConversation } from '#server/conversations/acts/delete-conversation.ts'
import { handOver } from '#server/conversations/acts/hand-over.ts'
import { holdRoutes } from './hold-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { archiveRoutes } from './archive-routes.ts'
import { composerRoutes, readMessage } from './composer-routes.ts'
import { setSector, transferToSector } from '#server/conversations/acts/to-sector.ts'
import { createListSnapshot } from '#server/conversations/reading/list-snapshot.ts'
import { markRead, markUnread } from '#server/conversations/outgoing/mark-read.ts'
import { setReaction } from '#server/conversations/outgoing/react.ts'
import { lastReasons } from '#server/conversations/reading/last-reasons.ts'
import { listOpenReads, toRead } from '#server/conversations/store/reads.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { MessageFiles } from '#server/conversations/media/message-files.ts'
import type { SendReceipt } from '#server/conversations/outgoing/receipts.ts'
import { retryMessage, sendReply } from '#server/conversations/outgoing/reply.ts'
import { factsOf, findReachFacts, listConversationRows } from '#server/conversations/store/rows.ts'
import { listVersionRows } from '#server/conversations/store/message-rows.ts'
import { findOpenConversation, numberToBeginAt, sendToContact } from '#server/conversations/outgoing/start.ts'
import { queueBlock, statisticsBlock, statsFor } from '#server/conversations/reading/stats.ts'
import { asCard, toConversation, toMessage } from '#server/conversations/store/serializers.ts'

const toSelf = 'PATCH /api/conversations/{id}/assign-operator (self)'
const toOther = 'PATCH /api/conversations/{id}/assign-operator (other)'
const openDeletion = 'DELETE /api/conversations/{open}'
const archivedDeletion = 'DELETE /api/conversations/{archived}'
const allToQueue = 'POST /api/conversations/hand-over (queue)'
const allToOther = 'POST /api/conversations/hand-over (other)'
const withOpen = 'POST /api/contacts/{id}/start-conversation (existing)'
const withNew = 'POST /api/contacts/{id}/start-conversation (new)'

export function conversationRoutes(
  http: Http,
  deps: {
    database: Database
    gateway: Gateway
    files: FileStore
    messageFiles: MessageFiles
    sendReceipt: SendReceipt
  },
): void {
  const { app, route, routeByRow } = http
  const { database, gateway, sendReceipt } = deps
  archiveRoutes(http, deps)
  composerRoutes(http, deps)
  messageRoutes(http, deps)
  holdRoutes(http, deps)
  const list = createListSnapshot(database)
  app.addHook('onClose', () => list.stop())
  route(listConversations, ({ query, who }) => {
    const { page, limit = 10, search = '', tab = 'all', order = 'start', ...filters } = query
    return page === undefined
      ? list.whole({ who, filters })
      : list.page({ page, limit, search, tab, order, filters, who })
  })

  // A completed one may also be seen by its assignee: conversationFor checks that, by the same permissions.
  routeByRow(getConversation, async ({ params, who, permit }) => {
    permit('GET /api/conversations/{open}')
    const row = await conversationFor(database, who, params.id)
    await noteReading(database, who, row.conversation)
    return new BuiltAnswer(toConversation(row))
  })

  routeByRow(listMessages, async ({ params, query, who, permit }) => {
    permit('GET /api/conversations/{open}/messages')
    const { before, after, limit = 200 } = query
    const page = await readTimeline(database, who, params.id, { before, after, limit })
    return new BuiltAnswer(page.map(toMessage))
  })

  route(sendMessage, async ({ params, body, who }) => {
    const { id, message, receipt } = await sendReply(database, who, params.id, body)
    sendReceipt(receipt)
    await failpoint('reply.stored')
    return new BuiltAnswer(message ?? (await readMessage(database, id)))
  })

  routeByRow(startConversation, async ({ params: { id: contactId }, body, who, permit }) => {
    const to = { contactId, instanceId: body?.instanceId }
    const conversationId = (await findOpenConversation(database, who, to)) ?? null
    permit(conversationId === null ? withNew : withOpen)
    const contact = await findCard(database, contactId)
    if (!contact) throw new AppError('contacts.not_found')
    const existing = conversationId !== null
    if (!existing && contact.isBlocked) throw new AppError('contacts.blocked')
    const instanceId = existing
      ? ((await findReachFacts(database, [conversationId])).get(conversationId)?.instanceId ?? null)
      : ((await numberToBeginAt(database, who, to)) ?? null)
    return { existing, conversationId, pendingCreation: !existing, instanceId, contactId, contact }
  })

  route(sendToContactCall, async ({ params, body, who }) => {
    const to = { contactId: params.id, instanceId: body.instanceId }
    const { conversationId, id, message, receipt } = await sendToContact(database, who, to, body)
    sendReceipt(receipt)
    const [row] = await listConversationRows(database, [conversationId])
    if (!row) throw conversationNotFound()
    return { conversation: toConversation(row), message: message ?? (await readMessage(database, id)) }
  })

  route(retryMessageCall, async ({ params, who }) => {
    await retryMessage(database, who, params.id, params.messageId)
    return readMessage(database, params.messageId)
  })

  route(reactToMessage, async ({ params, body, who }) => {
    const { id: conversationId, messageId } = params
    await setReaction({ database, gateway }, who, { conversationId, messageId, ...body })
    return readMessage(database, messageId)
  })

  routeByRow(listMessageVersions, async ({ params, who, permit }) => {
    permit('GET /api/conversations/{open}/messages/{messageId}/versions')
    const row = listMessageVersions.rows['GET /api/conversations/{completed}/messages/{messageId}/versions']
    await noteReading(database, who, await expectReadable(database, who, params.id, row))
    await messageFor(database, who, { conversationId: params.id, messageId: params.messageId })
    const versions = await listVersionRows(database, params.id, params.messageId)
    return versions.map(({ content, replacedAt }) => ({ content, replacedAt: replacedAt.toISOString() }))
  })

  routeByRow(assignOperator, async ({ params, body, who, permit }) => {
    permit(body.operatorId === who.id ? toSelf : toOther)
    const operator = await assign(database, who, { conversationId: params.id, ...body })
    const read = body.operatorId === who.id ? readConversation : readGivenAway
    return { conversation: await read(database, who, params.id), operator }
  })

  route(takeNextConversation, async ({ body, who }) => {
    const id = await takeNext(database, who, body?.sectorId)
    return { conversation: await readConversation(database, who, id) }
  })

  route(transferConversation, async ({ params, body, who }) => {
    await transfer(database, who, { conversationId: params.id, ...body })
    return { conversation: await readGivenAway(database, who, params.id) }
  })

  routeByRow(handOverCall, async ({ body, who, permit }) => {
    permit(body.to === null ? allToQueue : allToOther)
    return { handedOver: await handOver(database, who, body) }
  })

  // Whoever gives it to a sector may know of it no longer.
  route(transferToSectorCall, async ({ params, body, who }) => {
    await transferToSector(database, who, { conversationId: params.id, ...body })
    return undefined
  })

  route(setSectorCall, async ({ params, body, who }) => {
    await setSector(database, who, { conversationId: params.id, ...body })
    return undefined
  })

  route(finalizeConversation, async ({ params, body, who }) => {
    await finalize(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(listLastReasons, ({ params, who }) => lastReasons(database, who, params.id))

  route(changeConversationReason, async ({ params, body, who }) => {
    await changeReason(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(undoFinalizeCall, async ({ params, who }) => {
    await undoFinalize(database, who, params.id)
    return { conversation: await readConversation(database, who, params.id) }
  })

  routeByRow(deleteConversationCall, async ({ params, query, who, permit }) => {
    await deleteConversation(database, who, {
      conversationId: params.id,
      seenMessageId: query.seenMessageId,
      permit: (status) => permit(status === 'completed' ? archivedDeletion : openDeletion),
    })
    return undefined
  })

  route(toggleAutoClose, async ({ params, body, who }) => {
    await setAutoClose(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(setPriority, async ({ params, body, who }) => {
    await prioritize(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(viewConversation, async ({ params, body, who }) => {
    if (body.action === 'enter') {
      await recordView(database, who, params.id)
      await readNotificationsOf(database, who.id, { conversationId: params.id })
    } else await expectReadable(database, who, params.id)
    return undefined
  })

  route(listReads, async ({ who }) => new BuiltAnswer((await listOpenReads(database, who)).map(toRead)))

  route(markReadCall, async ({ params, body, who }) => {
    const { read, receipt } = await markRead(database, who, { conversationId: params.id, ...body })
    sendReceipt(receipt)
    return new BuiltAnswer(toRead(read))
  })

  route(markUnreadCall, async ({ params, who }) => toRead(await markUnread(database, who, params.id)))

  routeByRow(getStats, async ({ who, isPermitted }) => {
    if (!isPermitted(queueBlock) && !isPermitted(statisticsBlock)) throw new AppError('auth.forbidden')
    return statsFor(database, who)
  })
}

/** The conversation after an act of the person. */
async function readConversation(db: Db, who: Who, id: number): Promise<Conversation> {
  return toConversation(await recentConversationFor(db, who, id))
}

/** The same after an act by which they may have lost sight of it: then as a card. */
async function readGivenAway(db: Db, who: Who, id: number): Promise<Conversation> {
  const [row] = await listConversationRows(db, [id])
  if (!row) throw conversationNotFound()
  const conversation = toConversation(row)
  return (await seesOrRecentlySaw(db, who, factsOf(row))) ? conversation : asCard(conversation)
}

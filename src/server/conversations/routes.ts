import {
  assignOperator,
  type Conversation,
  finalizeConversation,
  getConversation,
  getStats,
  listConversations,
  listMessages,
  listMessageVersions,
  type Message,
  reactToMessage,
  retryMessage as retryMessageCall,
  sendMessage,
  sendToContact as sendToContactCall,
  setPriority,
  startConversation,
  toggleAutoClose,
  transferConversation,
  viewConversation,
} from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Who } from '#server/platform/access.ts'
import { findCard } from '#server/contacts/contacts.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { Database, Db } from '#server/platform/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Http } from '#server/platform/http.ts'
import { conversationFor, conversationNotFound } from './access.ts'
import { prioritize, recordView, setAutoClose } from './acts.ts'
import { assign, finalize, transfer } from './assign.ts'
import { createListSnapshot } from './list-snapshot.ts'
import { react } from './react.ts'
import { retryMessage, sendReply } from './reply.ts'
import { listConversationRows, listMessageRows, listTimelineRows, listVersionRows } from './rows.ts'
import { findOpenOf, sendToContact } from './start.ts'
import { queueBlock, statisticsBlock, statsFor } from './stats.ts'
import { toConversation, toMessage } from './wire.ts'

const canView = ['canViewConversations'] as const
const canViewArchived = ['canViewConversations', 'canViewArchivedConversations'] as const
const canAnswer = ['canViewConversations', 'canEditConversations'] as const
const toSelf = 'PATCH /api/conversations/{id}/assign-operator (self)'
const toOther = 'PATCH /api/conversations/{id}/assign-operator (other)'
const withOpen = 'POST /api/contacts/{id}/start-conversation (existing)'
const withNew = 'POST /api/contacts/{id}/start-conversation (new)'

export function conversationRoutes(
  { app, route }: Http,
  { database, gateway }: { database: Database; gateway: Gateway },
): void {
  const list = createListSnapshot(database)
  app.addHook('onClose', () => list.stop())
  route(listConversations, canView, ({ query: { page, limit = 10, search = '' } }) =>
    page === undefined ? list.whole() : list.page({ page, limit, search }),
  )

  // Whether a completed one may be seen depends on whose it was: conversationFor judges, by the same rows of the law.
  route(
    getConversation,
    { 'GET /api/conversations/{open}': canView, 'GET /api/conversations/{completed}': canViewArchived },
    async ({ params, who, permit }) => {
      permit('GET /api/conversations/{open}')
      return toConversation(await conversationFor(database, who, params.id))
    },
  )

  route(
    listMessages,
    {
      'GET /api/conversations/{open}/messages': canView,
      'GET /api/conversations/{completed}/messages': canViewArchived,
    },
    async ({ params, query, who, permit }) => {
      permit('GET /api/conversations/{open}/messages')
      await conversationFor(database, who, params.id)
      const { before, after, limit = 200 } = query
      const page = { before, after, limit, withTracking: who.role === 'admin' }
      return (await listTimelineRows(database, params.id, page)).map(toMessage)
    },
  )

  route(sendMessage, canAnswer, async ({ params, body, who }) => {
    const { id, message } = await sendReply(database, who, params.id, body)
    await failpoint('reply.stored')
    return message ?? readMessage(database, id)
  })

  route(
    startConversation,
    {
      [withOpen]: ['canViewConversations'],
      [withNew]: ['canViewContacts', 'canCreateConversations'],
    },
    async ({ params: { id: contactId }, permit }) => {
      const conversationId = (await findOpenOf(database, contactId)) ?? null
      permit(conversationId === null ? withNew : withOpen)
      const contact = await findCard(database, contactId)
      if (!contact) throw new AppError('contacts.not_found', 404)
      const existing = conversationId !== null
      if (!existing && contact.isBlocked) throw new AppError('contacts.blocked', 409)
      return { existing, conversationId, pendingCreation: !existing, contactId, contact }
    },
  )

  route(
    sendToContactCall,
    ['canCreateConversations', 'canEditConversations'],
    async ({ params, body, who }) => {
      const { conversationId, id, message } = await sendToContact(database, who, params.id, body)
      const [row] = await listConversationRows(database, [conversationId])
      if (!row) throw conversationNotFound()
      return { conversation: toConversation(row), message: message ?? (await readMessage(database, id)) }
    },
  )

  route(retryMessageCall, canAnswer, async ({ params, who }) => {
    await retryMessage(database, who, params.id, params.messageId)
    return readMessage(database, params.messageId)
  })

  route(reactToMessage, canAnswer, async ({ params, body, who }) => {
    const { id: conversationId, messageId } = params
    await react({ database, gateway }, who, { conversationId, messageId, ...body })
    return readMessage(database, messageId)
  })

  route(
    listMessageVersions,
    {
      'GET /api/conversations/{open}/messages/{messageId}/versions': canView,
      'GET /api/conversations/{completed}/messages/{messageId}/versions': canViewArchived,
    },
    async ({ params, who, permit }) => {
      permit('GET /api/conversations/{open}/messages/{messageId}/versions')
      await conversationFor(database, who, params.id)
      const versions = await listVersionRows(database, params.id, params.messageId)
      return versions.map(({ content, replacedAt }) => ({ content, replacedAt: replacedAt.toISOString() }))
    },
  )

  route(
    assignOperator,
    { [toSelf]: ['canEditConversations'], [toOther]: ['canTransferConversations'] },
    async ({ params, body, who, permit }) => {
      permit(body.operatorId === who.id ? toSelf : toOther)
      const operator = await assign(database, who, { conversationId: params.id, ...body })
      return { conversation: await readConversation(database, who, params.id), operator }
    },
  )

  route(transferConversation, ['canTransferConversations'], async ({ params, body, who }) => {
    await transfer(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(finalizeConversation, ['canFinalizeConversations'], async ({ params, body, who }) => {
    await finalize(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id, true) }
  })

  route(toggleAutoClose, ['canEditConversations'], async ({ params, body, who }) => {
    await setAutoClose(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(setPriority, ['canEditConversations'], async ({ params, body, who }) => {
    await prioritize(database, who, { conversationId: params.id, ...body })
    return { conversation: await readConversation(database, who, params.id) }
  })

  route(viewConversation, canView, async ({ params, who }) => {
    await recordView(database, who, params.id)
    return undefined
  })

  route(
    getStats,
    { [queueBlock]: ['canViewDashboard'], [statisticsBlock]: ['canViewStatistics'] },
    async ({ who, isPermitted }) => {
      if (!isPermitted(queueBlock) && !isPermitted(statisticsBlock)) throw new AppError('auth.forbidden', 403)
      return statsFor(database, who)
    },
  )
}

async function readMessage(db: Db, id: number): Promise<Message> {
  const [row] = await listMessageRows(db, [id])
  if (!row) throw new AppError('messages.not_found', 404)
  return toMessage(row)
}

/** @param asActor who just completed it sees the result, also where the archive is closed to him */
async function readConversation(db: Db, who: Who, id: number, asActor = false): Promise<Conversation> {
  const all = asActor ? { ...who, flags: { ...who.flags, canViewArchivedConversations: true } } : who
  return toConversation(await conversationFor(db, all, id))
}

import {
  assignOperator,
  type Conversation,
  finalizeConversation,
  getConversation,
  getStats,
  listConversations,
  listMessages,
  type Message,
  retryMessage as retryMessageCall,
  sendMessage,
  transferConversation,
} from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Who } from '#server/platform/access.ts'
import type { Database, Db } from '#server/platform/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Http } from '#server/platform/http.ts'
import { conversationFor } from './access.ts'
import { assign, finalize, transfer } from './assign.ts'
import { createListSnapshot } from './list-snapshot.ts'
import { retryMessage, sendReply } from './reply.ts'
import { listMessageRows, listTimelineRows } from './rows.ts'
import { queueBlock, statisticsBlock, statsFor } from './stats.ts'
import { toConversation, toMessage } from './wire.ts'

const canView = ['canViewConversations'] as const
const canViewArchived = ['canViewConversations', 'canViewArchivedConversations'] as const
const canAnswer = ['canViewConversations', 'canEditConversations'] as const
const toSelf = 'PATCH /api/conversations/{id}/assign-operator (self)'
const toOther = 'PATCH /api/conversations/{id}/assign-operator (other)'

export function conversationRoutes({ app, route }: Http, { database }: { database: Database }): void {
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

  route(retryMessageCall, canAnswer, async ({ params, who }) => {
    await retryMessage(database, who, params.id, params.messageId)
    return readMessage(database, params.messageId)
  })

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

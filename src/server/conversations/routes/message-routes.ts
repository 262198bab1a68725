import { searchMessages } from '#shared/messages/message-endpoints.ts'
import { BuiltAnswer } from '#server/platform/http/built-answer.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { findMessages } from '#server/conversations/reading/search-messages.ts'

const canView = ['canViewConversations'] as const
const canViewArchived = ['canViewConversations', 'canViewArchivedConversations'] as const

/** The calls about single messages that do not change them. */
export function messageRoutes({ route }: Http, { database }: { database: Database }): void {
  route(
    searchMessages,
    {
      'GET /api/conversations/{open}/messages/search': canView,
      'GET /api/conversations/{completed}/messages/search': canViewArchived,
    },
    async ({ params, query, who, permit }) => {
      permit('GET /api/conversations/{open}/messages/search')
      return new BuiltAnswer(await findMessages(database, who, params.id, query.words))
    },
  )
}

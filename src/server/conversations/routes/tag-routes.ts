import { tagConversation as tagConversationCall } from '#shared/tags/conversation-tags.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { recentConversationFor } from '#server/conversations/store/access.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import { tagConversation } from '#server/conversations/tags/tag.ts'

const ofOpen = 'PATCH /api/conversations/{open}/tags'
const ofCompleted = 'PATCH /api/conversations/{completed}/tags'

export function tagRoutes({ routeByRow }: Http, { database }: { database: Database }): void {
  routeByRow(tagConversationCall, async ({ params, body, who, permit }) => {
    await tagConversation(database, who, {
      conversationId: params.id,
      ...body,
      permit: (status) => permit(status === 'completed' ? ofCompleted : ofOpen),
    })
    return { conversation: toConversation(await recentConversationFor(database, who, params.id)) }
  })
}

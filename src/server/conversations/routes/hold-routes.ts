import { listSnoozeTimes, resumeConversation, snoozeConversation } from '#shared/conversations/snooze.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { resumeNow, snooze } from '#server/conversations/snoozing/snooze.ts'
import { snoozeTimes } from '#server/conversations/snoozing/times.ts'
import { conversationFor, recentConversationFor } from '#server/conversations/store/access.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'

/** 'Lembrar' and 'Retomar agora'. */
export function holdRoutes({ route }: Http, { database }: { database: Database }): void {
  route(snoozeConversation, async ({ params, body, who }) => {
    await snooze(database, who, { conversationId: params.id, ...body })
    return { conversation: toConversation(await recentConversationFor(database, who, params.id)) }
  })

  route(resumeConversation, async ({ params, who }) => {
    await resumeNow(database, who, params.id)
    return { conversation: toConversation(await recentConversationFor(database, who, params.id)) }
  })

  route(listSnoozeTimes, async ({ params, who }) => {
    const { conversation } = await conversationFor(database, who, params.id)
    return snoozeTimes(database, conversation)
  })
}

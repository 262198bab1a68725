import {
  getConversationAssistant,
  suggestReply,
  summarizeConversation,
  switchAssistant,
} from '#shared/assistant/conversation-assistant.ts'
import type { AssistantServers } from '#server/assistant/assistant.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createHelp } from './help.ts'
import { assistantIn, switchAssistantIn } from './state.ts'

/** What the AI does in a conversation, and what a person asks of it there. */
export function conversationAssistantRoutes(
  { route }: Http,
  deps: { database: Database; secrets: Secrets; servers: AssistantServers; log: Log },
): void {
  const { database } = deps
  const help = createHelp(deps)
  route(getConversationAssistant, ({ who, params }) => assistantIn(database, who, params.id))
  route(switchAssistant, ({ who, params, body }) => switchAssistantIn(database, who, params.id, body.isOff))
  route(summarizeConversation, ({ who, params }) => help.summarize(who, params.id))
  route(suggestReply, async ({ who, params }) => ({ text: await help.suggest(who, params.id) }))
}

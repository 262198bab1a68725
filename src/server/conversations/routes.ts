import type { Database } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { AssistantServers } from '#server/assistant/assistant.ts'
import type { Gateway } from '#server/gateway/gateway.ts'
import type { MessageFiles } from '#server/conversations/media/message-files.ts'
import { conversationAssistantRoutes } from '#server/conversations/assistant/routes.ts'
import { mediaRoutes } from '#server/conversations/media/routes.ts'
import type { SendReceipt } from '#server/conversations/outgoing/receipts.ts'
import { categoryChangeRoutes } from '#server/conversations/routes/category-routes.ts'
import { companyChangeRoutes } from '#server/conversations/routes/company-routes.ts'
import { macroRoutes } from '#server/conversations/routes/macro-routes.ts'
import { mergeRoutes } from '#server/conversations/routes/merge-routes.ts'
import { contactHistoryRoutes } from '#server/conversations/routes/contact-routes.ts'
import { tagRoutes } from '#server/conversations/routes/tag-routes.ts'
import { noteRoutes } from '#server/conversations/routes/note-routes.ts'
import { scheduledRoutes } from '#server/conversations/routes/scheduled-routes.ts'
import { conversationRoutes } from '#server/conversations/routes/conversation-routes.ts'

/** All calls of the room. */
export function routes(
  http: Http,
  context: {
    database: Database
    gateway: Gateway
    files: FileStore
    messageFiles: MessageFiles
    sendReceipt: SendReceipt
    secrets: Secrets
    servers: AssistantServers
    log: Log
  },
): void {
  conversationRoutes(http, context)
  noteRoutes(http, context)
  scheduledRoutes(http, context)
  tagRoutes(http, context)
  mediaRoutes(http, context)
  conversationAssistantRoutes(http, context)
  contactHistoryRoutes(http, context)
  companyChangeRoutes(http, context)
  categoryChangeRoutes(http, context)
  macroRoutes(http, context)
  mergeRoutes(http, context)
}

import { assistantRoutes } from './assistant/routes.ts'
import type { AppOptions } from './app-options.ts'
import type { AppParts } from './app-parts.ts'
import { auditRoutes } from './audit/routes.ts'
import { companyRoutes } from './companies/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import {
  createSendReceipt,
  freeConversations,
  liveRows,
  notifyContactsChanged,
  ownNamedFiles,
  type createTyping,
} from './conversations/conversations.ts'
import { conversationsRoutes } from './conversations/routes.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { maintenanceRoutes } from './maintenance/maintenance-routes.ts'
import { privacyRoutes } from './maintenance/routes.ts'
import { profilePictureRoutes } from './media/media.ts'
import { noticeRoutes } from './notices/routes.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { JobQueue } from './platform/jobs/job-queue.ts'
import { reportRoutes } from './reports/routes.ts'
import { changeSettingsIn } from './settings/change-settings.ts'
import { settingsRoutes } from './settings/routes.ts'
import { getSettings } from './settings/settings.ts'
import { userRoutes } from './users/routes.ts'

export interface RoutesParts extends AppParts {
  typing: ReturnType<typeof createTyping>
  /** undefined while the app starts, and where no long jobs run. */
  queue: () => JobQueue | undefined
  /** The place in the event log up to which the sockets of this process are. */
  livePosition: () => { epoch: string; cursor: string }
}

/** Registers every call, and checks that the table of permissions has exactly these. */
export function registerRoutes(http: Http, parts: RoutesParts, options: AppOptions): void {
  const { database, gateway, typing } = parts
  const client = gateway.client
  auditRoutes(http, { database, timezone: async () => (await getSettings(database)).timezone })
  userRoutes(http, { ...parts, freeConversations })
  settingsRoutes(http, { ...parts, onChange: ownNamedFiles })
  assistantRoutes(http, { ...parts, changeSettings: changeSettingsIn })
  companyRoutes(http, parts)
  contactRoutes(http, { ...parts, onChanged: notifyContactsChanged })
  gatewayRoutes(http, { ...parts, client, onTyping: typing.receive })
  conversationsRoutes(http, { ...parts, sendReceipt: createSendReceipt(parts) })
  profilePictureRoutes(http, parts)
  noticeRoutes(http, parts)
  reportRoutes(http, parts)
  privacyRoutes(http, parts)
  maintenanceRoutes(http, parts)
  doctorRoutes(http, { ...parts, client, measure: options.measureDisk })
  http.serves(...liveRows)
  http.checkPermissionTable()
}

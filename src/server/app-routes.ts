import { assistantRoutes } from './assistant/routes.ts'
import type { AppOptions } from './app-options.ts'
import type { AppParts } from './app-parts.ts'
import { auditRoutes } from './audit/routes.ts'
import { companyRoutes } from './companies/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import {
  createSendReceipt,
  freeConversations,
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

/** What the calls use of the program, beside what was opened for it. */
export interface RoutesGiven {
  typing: ReturnType<typeof createTyping>
  /** undefined while the app starts, and where no long jobs run. */
  queue: () => JobQueue | undefined
  /** The place in the event log up to which the sockets of this process are. */
  livePosition: () => { epoch: string; cursor: string }
}

/** Registers every call. */
export function registerRoutes(
  http: Http,
  { config, database, log, measureDisk }: AppOptions,
  { gateway, secrets, files, messageFiles, servers, inbox, store, maintenance }: AppParts,
  { typing, queue, livePosition }: RoutesGiven,
): void {
  const { client } = gateway
  const sendReceipt = createSendReceipt({ database, gateway, log })
  auditRoutes(http, { database, timezone: async () => (await getSettings(database)).timezone })
  userRoutes(http, { database, config, secrets, log, livePosition, freeConversations })
  settingsRoutes(http, { database, config, onChange: ownNamedFiles })
  assistantRoutes(http, { database, secrets, servers, changeSettings: changeSettingsIn })
  companyRoutes(http, { database })
  contactRoutes(http, { database, files, secrets, queue, onChanged: notifyContactsChanged })
  gatewayRoutes(http, { database, config, secrets, client, inbox, log, onTyping: typing.receive })
  conversationsRoutes(http, { database, gateway, files, messageFiles, sendReceipt, secrets, servers, log })
  profilePictureRoutes(http, { database, files })
  noticeRoutes(http, { database })
  reportRoutes(http, { database })
  privacyRoutes(http, { database, files, secrets, log })
  maintenanceRoutes(http, { database, files, store, log, queue, job: maintenance })
  doctorRoutes(http, { database, config, secrets, client, files, measure: measureDisk })
}

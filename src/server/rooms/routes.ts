// Written by `npm run rooms` from what each room declares.
import * as assistant from '#server/assistant/routes.ts'
import * as audit from '#server/audit/routes.ts'
import * as companies from '#server/companies/routes.ts'
import * as contacts from '#server/contacts/routes.ts'
import * as conversations from '#server/conversations/routes.ts'
import * as doctor from '#server/doctor/routes.ts'
import * as gateway from '#server/gateway/routes.ts'
import * as macros from '#server/macros/routes.ts'
import * as maintenance from '#server/maintenance/routes.ts'
import * as media from '#server/media/routes.ts'
import * as notices from '#server/notices/routes.ts'
import * as notifications from '#server/notifications/routes.ts'
import * as quickReplies from '#server/quick-replies/routes.ts'
import * as reasons from '#server/reasons/routes.ts'
import * as reports from '#server/reports/routes.ts'
import * as sectors from '#server/sectors/routes.ts'
import * as settings from '#server/settings/routes.ts'
import * as sla from '#server/sla/routes.ts'
import * as tags from '#server/tags/routes.ts'
import * as users from '#server/users/routes.ts'
import * as views from '#server/views/routes.ts'
import * as workday from '#server/workday/routes.ts'

export const routes = [
  assistant.routes,
  audit.routes,
  companies.routes,
  contacts.routes,
  conversations.routes,
  doctor.routes,
  gateway.routes,
  macros.routes,
  maintenance.routes,
  media.routes,
  notices.routes,
  notifications.routes,
  quickReplies.routes,
  reasons.routes,
  reports.routes,
  sectors.routes,
  settings.routes,
  sla.routes,
  tags.routes,
  users.routes,
  views.routes,
  workday.routes,
] as const

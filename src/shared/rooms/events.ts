// Written by `npm run rooms` from what each room declares.
import * as conversations from '#shared/conversations/events.ts'
import * as gateway from '#shared/gateway/events.ts'
import * as macros from '#shared/macros/events.ts'
import * as notices from '#shared/notices/events.ts'
import * as notifications from '#shared/notifications/events.ts'
import * as quickReplies from '#shared/quick-replies/events.ts'
import * as reasons from '#shared/reasons/events.ts'
import * as scheduled from '#shared/scheduled/events.ts'
import * as sectors from '#shared/sectors/events.ts'
import * as settings from '#shared/settings/events.ts'
import * as sla from '#shared/sla/events.ts'
import * as tags from '#shared/tags/events.ts'
import * as users from '#shared/users/events.ts'
import * as views from '#shared/views/events.ts'
import * as workday from '#shared/workday/events.ts'

export const events = {
  ...conversations.events,
  ...gateway.events,
  ...macros.events,
  ...notices.events,
  ...notifications.events,
  ...quickReplies.events,
  ...reasons.events,
  ...scheduled.events,
  ...sectors.events,
  ...settings.events,
  ...sla.events,
  ...tags.events,
  ...users.events,
  ...views.events,
  ...workday.events,
} as const

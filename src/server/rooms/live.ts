// Written by `npm run rooms` from what each room declares.
import * as conversations from '#server/conversations/live.ts'
import * as gateway from '#server/gateway/live.ts'
import * as macros from '#server/macros/live.ts'
import * as notices from '#server/notices/live.ts'
import * as notifications from '#server/notifications/live.ts'
import * as quickReplies from '#server/quick-replies/live.ts'
import * as reasons from '#server/reasons/live.ts'
import * as sectors from '#server/sectors/live.ts'
import * as settings from '#server/settings/live.ts'
import * as sla from '#server/sla/live.ts'
import * as tags from '#server/tags/live.ts'
import * as users from '#server/users/live.ts'
import * as views from '#server/views/live.ts'
import * as workday from '#server/workday/live.ts'

export const renderers = {
  ...conversations.renderers,
  ...gateway.renderers,
  ...macros.renderers,
  ...notices.renderers,
  ...notifications.renderers,
  ...quickReplies.renderers,
  ...reasons.renderers,
  ...sectors.renderers,
  ...settings.renderers,
  ...sla.renderers,
  ...tags.renderers,
  ...users.renderers,
  ...views.renderers,
  ...workday.renderers,
} as const

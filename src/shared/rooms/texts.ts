// Written by `npm run rooms` from what each room declares.
import * as assistant from '#shared/assistant/texts.ts'
import * as audit from '#shared/audit/texts.ts'
import * as contacts from '#shared/contacts/texts.ts'
import * as conversations from '#shared/conversations/texts.ts'
import * as doctor from '#shared/doctor/texts.ts'
import * as gateway from '#shared/gateway/texts.ts'
import * as http from '#shared/http/texts.ts'
import * as macros from '#shared/macros/texts.ts'
import * as maintenance from '#shared/maintenance/texts.ts'
import * as messages from '#shared/messages/texts.ts'
import * as notices from '#shared/notices/texts.ts'
import * as notifications from '#shared/notifications/texts.ts'
import * as quickReplies from '#shared/quick-replies/texts.ts'
import * as reasons from '#shared/reasons/texts.ts'
import * as reports from '#shared/reports/texts.ts'
import * as scheduled from '#shared/scheduled/texts.ts'
import * as sectors from '#shared/sectors/texts.ts'
import * as settings from '#shared/settings/texts.ts'
import * as sla from '#shared/sla/texts.ts'
import * as tags from '#shared/tags/texts.ts'
import * as users from '#shared/users/texts.ts'
import * as views from '#shared/views/texts.ts'
import * as workday from '#shared/workday/texts.ts'

export const errors = {
  ...assistant.errors,
  ...contacts.errors,
  ...conversations.errors,
  ...gateway.errors,
  ...http.errors,
  ...macros.errors,
  ...maintenance.errors,
  ...messages.errors,
  ...quickReplies.errors,
  ...reasons.errors,
  ...reports.errors,
  ...scheduled.errors,
  ...sectors.errors,
  ...settings.errors,
  ...sla.errors,
  ...tags.errors,
  ...users.errors,
  ...views.errors,
  ...workday.errors,
} as const

export const controls = [
  audit.controls,
  contacts.controls,
  conversations.controls,
  macros.controls,
  maintenance.controls,
  quickReplies.controls,
  reasons.controls,
  reports.controls,
  scheduled.controls,
  sectors.controls,
  settings.controls,
  sla.controls,
  tags.controls,
  users.controls,
  views.controls,
  workday.controls,
] as const

export const flagTexts = {
  ...sectors.flagTexts,
} as const

export const fields = {
  ...assistant.fields,
  ...contacts.fields,
  ...conversations.fields,
  ...gateway.fields,
  ...macros.fields,
  ...maintenance.fields,
  ...scheduled.fields,
  ...sectors.fields,
  ...users.fields,
  ...workday.fields,
} as const

export const areas = {
  ...assistant.areas,
  ...audit.areas,
  ...contacts.areas,
  ...conversations.areas,
  ...doctor.areas,
  ...gateway.areas,
  ...http.areas,
  ...macros.areas,
  ...maintenance.areas,
  ...messages.areas,
  ...notices.areas,
  ...notifications.areas,
  ...quickReplies.areas,
  ...reasons.areas,
  ...reports.areas,
  ...scheduled.areas,
  ...sectors.areas,
  ...settings.areas,
  ...sla.areas,
  ...tags.areas,
  ...users.areas,
  ...views.areas,
  ...workday.areas,
} as const

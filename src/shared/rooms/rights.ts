// Written by `npm run rooms` from what each room declares.
import * as assistant from '#shared/assistant/rights.ts'
import * as audit from '#shared/audit/rights.ts'
import * as contacts from '#shared/contacts/rights.ts'
import * as conversations from '#shared/conversations/rights.ts'
import * as gateway from '#shared/gateway/rights.ts'
import * as macros from '#shared/macros/rights.ts'
import * as maintenance from '#shared/maintenance/rights.ts'
import * as messages from '#shared/messages/rights.ts'
import * as notices from '#shared/notices/rights.ts'
import * as quickReplies from '#shared/quick-replies/rights.ts'
import * as reasons from '#shared/reasons/rights.ts'
import * as reports from '#shared/reports/rights.ts'
import * as scheduled from '#shared/scheduled/rights.ts'
import * as sectors from '#shared/sectors/rights.ts'
import * as settings from '#shared/settings/rights.ts'
import * as sla from '#shared/sla/rights.ts'
import * as tags from '#shared/tags/rights.ts'
import * as users from '#shared/users/rights.ts'
import * as views from '#shared/views/rights.ts'
import * as workday from '#shared/workday/rights.ts'

export const flags = {
  ...sectors.flags,
} as const

export const acts = {
  ...assistant.acts,
  ...audit.acts,
  ...contacts.acts,
  ...conversations.acts,
  ...gateway.acts,
  ...macros.acts,
  ...maintenance.acts,
  ...messages.acts,
  ...notices.acts,
  ...quickReplies.acts,
  ...reasons.acts,
  ...reports.acts,
  ...scheduled.acts,
  ...sectors.acts,
  ...settings.acts,
  ...sla.acts,
  ...tags.acts,
  ...users.acts,
  ...views.acts,
  ...workday.acts,
} as const

export const screens = {
  ...audit.screens,
  ...contacts.screens,
  ...conversations.screens,
  ...maintenance.screens,
  ...reports.screens,
  ...scheduled.screens,
  ...sectors.screens,
  ...settings.screens,
  ...users.screens,
  ...workday.screens,
} as const

export type Subject =
  | contacts.Subject
  | conversations.Subject
  | gateway.Subject
  | macros.Subject
  | maintenance.Subject
  | messages.Subject
  | notices.Subject
  | quickReplies.Subject
  | reasons.Subject
  | reports.Subject
  | scheduled.Subject
  | sectors.Subject
  | settings.Subject
  | tags.Subject
  | users.Subject
  | views.Subject
  | workday.Subject

export type Action =
  | assistant.Action
  | audit.Action
  | contacts.Action
  | conversations.Action
  | gateway.Action
  | macros.Action
  | maintenance.Action
  | messages.Action
  | quickReplies.Action
  | reasons.Action
  | reports.Action
  | scheduled.Action
  | sectors.Action
  | settings.Action
  | sla.Action
  | tags.Action
  | users.Action
  | views.Action
  | workday.Action

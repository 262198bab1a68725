// Written by `npm run rooms` from what each room declares.
import * as assistant from '#shared/assistant/audit.ts'
import * as audit from '#shared/audit/audit.ts'
import * as contacts from '#shared/contacts/audit.ts'
import * as conversations from '#shared/conversations/audit.ts'
import * as gateway from '#shared/gateway/audit.ts'
import * as macros from '#shared/macros/audit.ts'
import * as maintenance from '#shared/maintenance/audit.ts'
import * as messages from '#shared/messages/audit.ts'
import * as quickReplies from '#shared/quick-replies/audit.ts'
import * as reasons from '#shared/reasons/audit.ts'
import * as reports from '#shared/reports/audit.ts'
import * as scheduled from '#shared/scheduled/audit.ts'
import * as sectors from '#shared/sectors/audit.ts'
import * as settings from '#shared/settings/audit.ts'
import * as sla from '#shared/sla/audit.ts'
import * as tags from '#shared/tags/audit.ts'
import * as users from '#shared/users/audit.ts'
import * as views from '#shared/views/audit.ts'
import * as workday from '#shared/workday/audit.ts'

export const groups = {
  ...assistant.groups,
  ...audit.groups,
  ...contacts.groups,
  ...conversations.groups,
  ...gateway.groups,
  ...macros.groups,
  ...maintenance.groups,
  ...messages.groups,
  ...quickReplies.groups,
  ...reasons.groups,
  ...reports.groups,
  ...sectors.groups,
  ...settings.groups,
  ...sla.groups,
  ...tags.groups,
  ...users.groups,
  ...views.groups,
  ...workday.groups,
} as const

export const resources = {
  ...assistant.resources,
  ...audit.resources,
  ...contacts.resources,
  ...conversations.resources,
  ...gateway.resources,
  ...macros.resources,
  ...maintenance.resources,
  ...messages.resources,
  ...quickReplies.resources,
  ...reasons.resources,
  ...reports.resources,
  ...sectors.resources,
  ...settings.resources,
  ...sla.resources,
  ...tags.resources,
  ...users.resources,
  ...views.resources,
  ...workday.resources,
} as const

export const sentences = {
  ...assistant.sentences,
  ...audit.sentences,
  ...contacts.sentences,
  ...conversations.sentences,
  ...gateway.sentences,
  ...macros.sentences,
  ...maintenance.sentences,
  ...messages.sentences,
  ...quickReplies.sentences,
  ...reasons.sentences,
  ...reports.sentences,
  ...scheduled.sentences,
  ...sectors.sentences,
  ...settings.sentences,
  ...sla.sentences,
  ...tags.sentences,
  ...users.sentences,
  ...views.sentences,
  ...workday.sentences,
} as const

export interface Details
  extends
    assistant.Details,
    audit.Details,
    contacts.Details,
    conversations.Details,
    gateway.Details,
    macros.Details,
    maintenance.Details,
    messages.Details,
    quickReplies.Details,
    reasons.Details,
    reports.Details,
    scheduled.Details,
    sectors.Details,
    settings.Details,
    sla.Details,
    tags.Details,
    users.Details,
    views.Details,
    workday.Details {}

export interface Personal
  extends
    contacts.Personal,
    users.Personal {}

// Written by `npm run rooms` from what each room declares.
import * as accounts from './rooms/accounts.ts'
import * as archive from './rooms/archive.ts'
import * as browserActs from './rooms/browser-acts.ts'
import * as categories from './rooms/categories.ts'
import * as companies from './rooms/companies.ts'
import * as contactActs from './rooms/contact-acts.ts'
import * as contacts from './rooms/contacts.ts'
import * as conversationActs from './rooms/conversation-acts.ts'
import * as conversations from './rooms/conversations.ts'
import * as files from './rooms/files.ts'
import * as gateway from './rooms/gateway.ts'
import * as hold from './rooms/hold.ts'
import * as imports from './rooms/imports.ts'
import * as live from './rooms/live.ts'
import * as macros from './rooms/macros.ts'
import * as maintenance from './rooms/maintenance.ts'
import * as messageActs from './rooms/message-acts.ts'
import * as messages from './rooms/messages.ts'
import * as notes from './rooms/notes.ts'
import * as notices from './rooms/notices.ts'
import * as notifications from './rooms/notifications.ts'
import * as privacy from './rooms/privacy.ts'
import * as profile from './rooms/profile.ts'
import * as quickReplies from './rooms/quick-replies.ts'
import * as reasons from './rooms/reasons.ts'
import * as replyActs from './rooms/reply-acts.ts'
import * as reports from './rooms/reports.ts'
import * as scheduled from './rooms/scheduled.ts'
import * as sectors from './rooms/sectors.ts'
import * as sessions from './rooms/sessions.ts'
import * as settings from './rooms/settings.ts'
import * as sla from './rooms/sla.ts'
import * as tags from './rooms/tags.ts'
import * as transcriptions from './rooms/transcriptions.ts'
import * as views from './rooms/views.ts'
import * as workday from './rooms/workday.ts'

export const recipes = {
  ...accounts.recipes,
  ...archive.recipes,
  ...categories.recipes,
  ...companies.recipes,
  ...contacts.recipes,
  ...conversations.recipes,
  ...files.recipes,
  ...gateway.recipes,
  ...hold.recipes,
  ...imports.recipes,
  ...live.recipes,
  ...macros.recipes,
  ...maintenance.recipes,
  ...messages.recipes,
  ...notes.recipes,
  ...notices.recipes,
  ...notifications.recipes,
  ...privacy.recipes,
  ...profile.recipes,
  ...quickReplies.recipes,
  ...reasons.recipes,
  ...reports.recipes,
  ...scheduled.recipes,
  ...sectors.recipes,
  ...sessions.recipes,
  ...settings.recipes,
  ...sla.recipes,
  ...tags.recipes,
  ...transcriptions.recipes,
  ...views.recipes,
  ...workday.recipes,
} as const

export const things = {
  ...accounts.things,
  ...categories.things,
  ...companies.things,
  ...contactActs.things,
  ...conversations.things,
  ...files.things,
  ...gateway.things,
  ...imports.things,
  ...macros.things,
  ...maintenance.things,
  ...messages.things,
  ...notices.things,
  ...profile.things,
  ...quickReplies.things,
  ...reasons.things,
  ...reports.things,
  ...scheduled.things,
  ...sectors.things,
  ...sessions.things,
  ...settings.things,
  ...tags.things,
  ...views.things,
  ...workday.things,
} as const

export const acts = {
  ...accounts.acts,
  ...browserActs.acts,
  ...companies.acts,
  ...contactActs.acts,
  ...conversationActs.acts,
  ...gateway.acts,
  ...macros.acts,
  ...messageActs.acts,
  ...notes.acts,
  ...notices.acts,
  ...notifications.acts,
  ...quickReplies.acts,
  ...reasons.acts,
  ...replyActs.acts,
  ...scheduled.acts,
  ...sectors.acts,
  ...sla.acts,
  ...tags.acts,
  ...views.acts,
  ...workday.acts,
} as const

export const broughtBy = {
  ...accounts.broughtBy,
  ...browserActs.broughtBy,
  ...conversationActs.broughtBy,
  ...gateway.broughtBy,
  ...macros.broughtBy,
  ...notices.broughtBy,
  ...notifications.broughtBy,
  ...quickReplies.broughtBy,
  ...reasons.broughtBy,
  ...replyActs.broughtBy,
  ...scheduled.broughtBy,
  ...sectors.broughtBy,
  ...settings.broughtBy,
  ...sla.broughtBy,
  ...tags.broughtBy,
  ...views.broughtBy,
  ...workday.broughtBy,
} as const

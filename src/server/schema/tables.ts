// Written by `npm run rooms` from what each room declares.
import * as platformJobs from '#server/schema/platform/jobs.ts'
import * as platformLive from '#server/schema/platform/live.ts'
import * as audit from '#server/schema/audit.ts'
import * as users from '#server/schema/users.ts'
import * as settings from '#server/schema/settings.ts'
import * as sectorsSectors from '#server/schema/sectors/sectors.ts'
import * as tagsConversationTags from '#server/schema/tags/conversation-tags.ts'
import * as viewsSavedViews from '#server/schema/views/saved-views.ts'
import * as contactsContactImports from '#server/schema/contacts/contact-imports.ts'
import * as contactsContacts from '#server/schema/contacts/contacts.ts'
import * as contactsMerges from '#server/schema/contacts/merges.ts'
import * as gateway from '#server/schema/gateway.ts'
import * as media from '#server/schema/media.ts'
import * as quickRepliesQuickReplies from '#server/schema/quick-replies/quick-replies.ts'
import * as macrosMacroRuns from '#server/schema/macros/macro-runs.ts'
import * as macrosMacros from '#server/schema/macros/macros.ts'
import * as assistant from '#server/schema/assistant.ts'
import * as notificationsNotifications from '#server/schema/notifications/notifications.ts'
import * as conversationsConversations from '#server/schema/conversations/conversations.ts'
import * as conversationsFinishReasons from '#server/schema/conversations/finish-reasons.ts'
import * as conversationsMessageChanges from '#server/schema/conversations/message-changes.ts'
import * as conversationsOutbox from '#server/schema/conversations/outbox.ts'
import * as conversationsPeople from '#server/schema/conversations/people.ts'
import * as conversationsQueue from '#server/schema/conversations/queue.ts'
import * as conversationsRatings from '#server/schema/conversations/ratings.ts'
import * as conversationsReads from '#server/schema/conversations/reads.ts'
import * as conversationsSearch from '#server/schema/conversations/search.ts'
import * as conversationsSnoozes from '#server/schema/conversations/snoozes.ts'
import * as slaSla from '#server/schema/sla/sla.ts'
import * as notices from '#server/schema/notices.ts'
import * as reports from '#server/schema/reports.ts'
import * as workdayPauseReasons from '#server/schema/workday/pause-reasons.ts'
import * as workdayWorkPeriods from '#server/schema/workday/work-periods.ts'
import * as maintenance from '#server/schema/maintenance.ts'
import * as installation from '#server/schema/installation.ts'
import * as privacy from '#server/schema/privacy.ts'

export const tables = {
  ...platformJobs,
  ...platformLive,
  ...audit,
  ...users,
  ...settings,
  ...sectorsSectors,
  ...tagsConversationTags,
  ...viewsSavedViews,
  ...contactsContactImports,
  ...contactsContacts,
  ...contactsMerges,
  ...gateway,
  ...media,
  ...quickRepliesQuickReplies,
  ...macrosMacroRuns,
  ...macrosMacros,
  ...assistant,
  ...notificationsNotifications,
  ...conversationsConversations,
  ...conversationsFinishReasons,
  ...conversationsMessageChanges,
  ...conversationsOutbox,
  ...conversationsPeople,
  ...conversationsQueue,
  ...conversationsRatings,
  ...conversationsReads,
  ...conversationsSearch,
  ...conversationsSnoozes,
  ...slaSla,
  ...notices,
  ...reports,
  ...workdayPauseReasons,
  ...workdayWorkPeriods,
  ...maintenance,
  ...installation,
  ...privacy,
} as const

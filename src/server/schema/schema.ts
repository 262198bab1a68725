/** All tables, for the types of the database and the check that they exist. */
import { assistantTurns, gptMakerConfig } from './assistant.ts'
import { auditChecks, auditHead, auditLogs, auditPersonal } from './audit.ts'
import {
  companies,
  companyDistinctions,
  contactCategories,
  contactDistinctions,
  contactIdentities,
  contactMerges,
  contacts,
} from '#server/schema/contacts/contacts.ts'
import { contactImportRows, contactImports } from '#server/schema/contacts/contact-imports.ts'
import {
  conversationDrafts,
  conversationRatings,
  conversationReads,
  conversations,
  messages,
} from '#server/schema/conversations/conversations.ts'
import {
  forgottenMessages,
  messageReactions,
  messageVersions,
  messageVotes,
  pendingUpdates,
  undoneSends,
} from '#server/schema/conversations/message-changes.ts'
import { outbox } from '#server/schema/conversations/outbox.ts'
import { preAttendanceTemp, queuePendingConversations } from '#server/schema/conversations/queue.ts'
import { conversationSearch, searchDue } from '#server/schema/conversations/search.ts'
import { evolutionApiConfig, firstSteps, webhookInbox, webhookRefusals } from './gateway.ts'
import { installation } from './installation.ts'
import { jobRuns, jobs } from '#server/schema/platform/jobs.ts'
import { events, presence } from '#server/schema/platform/live.ts'
import { maintenanceBackups, maintenancePlans, maintenanceRuns, restoredFiles } from './maintenance.ts'
import { files, mediaFetches } from './media.ts'
import { noticeDismissals, notices } from './notices.ts'
import { privacyRequests } from './privacy.ts'
import { conversationFacts, factsDue, savedReports } from './reports.ts'
import { systemSettings } from './settings.ts'
import {
  rateLimits,
  recoveryCodes,
  secondFactorDuties,
  sessions,
  trustedDevices,
  userPermissions,
  users,
} from './users.ts'

export const schema = {
  installation,
  auditLogs,
  auditPersonal,
  auditHead,
  auditChecks,
  users,
  userPermissions,
  sessions,
  recoveryCodes,
  trustedDevices,
  secondFactorDuties,
  rateLimits,
  systemSettings,
  companies,
  contactCategories,
  contacts,
  contactIdentities,
  contactMerges,
  contactDistinctions,
  companyDistinctions,
  contactImports,
  contactImportRows,
  evolutionApiConfig,
  webhookInbox,
  firstSteps,
  webhookRefusals,
  conversations,
  messages,
  messageVersions,
  messageReactions,
  messageVotes,
  conversationReads,
  conversationDrafts,
  conversationRatings,
  conversationSearch,
  searchDue,
  pendingUpdates,
  forgottenMessages,
  undoneSends,
  preAttendanceTemp,
  queuePendingConversations,
  outbox,
  gptMakerConfig,
  assistantTurns,
  files,
  mediaFetches,
  jobs,
  jobRuns,
  events,
  presence,
  notices,
  noticeDismissals,
  privacyRequests,
  conversationFacts,
  factsDue,
  savedReports,
  maintenanceBackups,
  maintenanceRuns,
  maintenancePlans,
  restoredFiles,
}

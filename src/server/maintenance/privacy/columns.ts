import { sql } from 'drizzle-orm'
import { erasedName } from '#shared/erased.ts'
import {
  ofContact,
  ofConversation,
  ofImportRow,
  ofMessage,
  ofPending,
  ofWebhook,
  restingImport,
} from './person.ts'
import { blank, erasedMetadata, gone, type Rule, type TableName } from './rules.ts'

/**
 * The register of personal data: every column of every table, by room. Anonymizing runs from it, and a test
 * fails for a column that is not named here: with what takes its place under `personal`, or under `other` if
 * it tells nothing of a contact. @see security §5.2, decision 33
 */
export const personalColumns: { readonly [Table in TableName]: Rule<Table> } = {
  // users, settings: the team's own data, and the installation's.
  installation: { other: 'id epoch uid sendsPausedUntil filePlace isDemo createdAt' },
  users: {
    other:
      'id username email passwordHash name role isActive isBlocked mustChangePassword totpSecretEncrypted ' +
      'totpConfirmedAt totpLastStep isAway failedLoginAttempts lastLoginAttemptAt loginLockedAt ' +
      'lockedUntil lockCount numberIds deletedAt createdAt updatedAt',
  },
  userPermissions: { other: 'userId flags createdAt updatedAt' },
  sessions: {
    other: 'id tokenHash userId createdAt lastSeenAt endedAt confirmedAt mustEnroll userAgent address',
  },
  recoveryCodes: { other: 'id userId codeHash usedAt createdAt' },
  trustedDevices: { other: 'id userId tokenHash createdAt' },
  secondFactorDuties: { other: 'role createdAt' },
  rateLimits: { other: 'key count windowEndsAt' },
  systemSettings: { other: 'id values version updatedAt' },

  // audit: `eraseFromAudit` takes the personal values of the rows about a contact; the chain stays whole.
  auditLogs: {
    other:
      'id userId role sessionId origin action resourceType resourceId outcome repeats repeatKey details ' +
      'personalHash createdAt position hash',
  },
  auditPersonal: { other: 'logId salt values erasedBy' },
  auditHead: { other: 'id position hash sealedAt' },
  auditChecks: { other: 'id checkedAt position breaks firstPosition firstFault' },

  // companies: a company is no contact's; the link to it is the contact's.
  companies: { other: 'id name phone responsibleName isActive createdAt updatedAt' },
  companyDistinctions: { other: 'firstId secondId declaredBy declaredAt' },

  // contacts
  contactCategories: { other: 'id name description priority color isActive createdAt updatedAt' },
  contacts: {
    of: ofContact('id'),
    personal: {
      name: sql`${erasedName}`,
      phone: gone,
      email: gone,
      tags: sql`'{}'`,
      notes: gone,
      companyId: gone,
      avatarUrl: gone,
      avatarUpdatedAt: gone,
      hasGatewayName: sql`false`,
      gatewayNamedAt: gone,
      erasedAt: sql`app_now()`,
      updatedAt: sql`app_now()`,
    },
    // The two folded ones are made of name and tags by the database.
    other: 'id nameFolded tagsFolded category isActive isBlocked deletedAt createdAt',
  },
  contactIdentities: {
    of: ofContact('contact_id'),
    isDeleted: true,
    personal: { value: gone, jid: gone },
    other: 'id contactId kind createdAt',
  },

  contactMerges: {
    of: (person) => sql`(${ofContact('kept_id')(person)} or ${ofContact('merged_id')(person)})`,
    isDeleted: true,
    personal: { undo: gone },
    other: 'id keptId mergedId mergedBy mergedAt undoneAt',
  },
  contactDistinctions: { other: 'firstId secondId declaredBy declaredAt' },
  // `eraseElsewhere` gives up the files: an import that was not over can only begin anew.
  contactImports: {
    of: () => restingImport,
    personal: {
      fileName: sql`'arquivo'`,
      samples: sql`array_fill(''::text, array[cardinality(samples)])`,
      firstRows: sql`'[]'::jsonb`,
      state: sql`case when state in ('read', 'stopped') then 'failed' else state end`,
      endedAt: sql`coalesce(ended_at, app_now())`,
    },
    other:
      'id storedName sizeBytes format encoding hasBom separator headers totalRows mapping mappingFrom ' +
      'knownRows known runId actor mayCreateCompanies uploadedBy createdAt startedAt resumedAt resumedRows ' +
      'doneLine doneRows created updated kept errors undoneLine undoneRows deleted restored',
  },
  contactImportRows: {
    of: ofImportRow,
    isDeleted: true,
    personal: { before: gone, after: gone, cells: gone, value: gone },
    other: 'importId line outcome contactId field error',
  },

  // gateway
  evolutionApiConfig: {
    other:
      'id instanceName apiKeyEncrypted apiKeyHint baseUrl webhookUrl isActive status ownerJid profileName ' +
      'lastConnectedAt webhookSecretEncrypted webhookSecretBeforeEncrypted webhookSecretPendingEncrypted ' +
      'instanceTokenEncrypted webhookSetAt pacePerSecond nextSendAt nextAutomaticAt failures breakerUntil ' +
      'troubledAt sweptUntil sweepLeaseUntil lookedBackAt silentSince restartedAt isRestartFailed ' +
      'deletedAt linkingAt codeEncrypted codeAt codeCount closedReason closedAt ownSettings createdAt ' +
      'updatedAt',
  },
  firstSteps: { other: 'id isMessageSkipped isTeamSkipped doneAt' },
  gptMakerConfig: {
    other:
      'id agentId agentName apiTokenEncrypted apiTokenHint isActive autoResponse autoResponseDelay ' +
      'fallbackToHuman maxRetries answersSince helpBaseUrl helpModel helpKeyEncrypted helpKeyHint ' +
      'canSummarize canSuggest updatedAt',
  },
  assistantTurns: {
    other: 'conversationId answeredMessageId failures notBefore leaseUntil claim isOff ended',
  },
  webhookRefusals: { other: 'id count since lastAt' },
  webhookInbox: {
    of: ofWebhook,
    personal: {
      // An empty body is processed like any other, and has no effect.
      payload: sql`'{}'::jsonb`,
      lane: sql`'erased:' || id`,
      deadReason: sql`case when dead_reason is not null then 'erased' end`,
    },
    // The key is that of a message, or a hash: a body that comes again is still known.
    other: 'id instanceId instanceName event dedupeKey receivedAt processedAt attempts notBefore',
  },

  // media: without an owner, and erased, the sweep deletes the bytes and then the row.
  files: {
    of: (person) => sql`(${ofMessage('message_id')(person)} or ${ofContact('contact_id')(person)})`,
    personal: {
      messageId: gone,
      contactId: gone,
      isErased: sql`user_id is null and not is_quick_response`,
    },
    other: 'id name userId isQuickResponse sizeBytes mimeType sha256 isPassing createdAt',
  },
  mediaFetches: {
    of: ofMessage('message_id'),
    isDeleted: true,
    personal: { lastError: gone },
    other: 'id messageId notBefore tries createdAt',
  },

  // conversations
  conversations: {
    of: ofContact('contact_id'),
    personal: {
      notes: gone,
      ratingAskedAt: gone,
      receiptDueId: gone,
      preAttendanceStage: sql`case when pre_attendance_stage = 'waiting_option' then 'cancelled'
                                   else pre_attendance_stage end`,
      version: sql`version + 1`,
    },
    other:
      'id instanceId contactId protocol assignedUserId status subStatus waitingFor waitingSince priority ' +
      'initiatedBy disableAutoClose isHistory startedAt completedAt lastActivityAt inactivityWarnedAt ' +
      'satisfaction messageCount contactMessageCount lastMessageId receiptMessageId createdAt',
  },
  messages: {
    of: ofConversation('conversation_id'),
    personal: {
      content: blank,
      fileName: gone,
      fileUrl: gone,
      fileMimeType: gone,
      quotedWhatsappId: gone,
      quotedContent: gone,
      metadata: erasedMetadata,
      // What is not known to have left counts as not sent; the proof that it was may still come.
      deliveryStatus: sql`case when delivery_status not in ('pending', 'sending', 'unknown')
                               then delivery_status end`,
      version: sql`version + 1`,
    },
    other:
      'id conversationId instanceId senderId senderType messageType fileSize whatsappMessageId ' +
      'clientMessageId failureReason deliveredAt readAt responseMs editedAt isEditTimeExact deletedAt ' +
      'isPinned pinChangedAt sortAt sentAt createdAt',
  },
  messageVersions: {
    of: ofMessage('message_id'),
    isDeleted: true,
    personal: { content: gone },
    other: 'id messageId saidAt isTimeExact replacedAt',
  },
  messageReactions: {
    of: ofMessage('message_id'),
    isDeleted: true,
    personal: { emoji: gone },
    other: 'id messageId sender reactedAt',
  },
  messageVotes: {
    of: ofMessage('message_id'),
    isDeleted: true,
    personal: { options: gone },
    other: 'id messageId sender votedAt',
  },
  conversationReads: { other: 'userId conversationId lastMessageId contactMessageCount updatedAt' },
  conversationDrafts: {
    of: ofConversation('conversation_id'),
    isDeleted: true,
    personal: { content: gone },
    other: 'userId conversationId quotedMessageId updatedAt',
  },
  // Written anew from what is left.
  conversationSearch: {
    of: ofConversation('conversation_id'),
    isDeleted: true,
    personal: { words: gone },
    other: 'conversationId part completedAt assignedUserId contactId firstMessageId lastMessageId',
  },
  searchDue: { other: 'id conversationId dueAt' },
  conversationRatings: {
    of: ofContact('contact_id'),
    personal: { feedback: gone },
    other: 'id conversationId contactId operatorId serviceRating operatorRating createdAt',
  },
  pendingUpdates: {
    of: ofPending,
    isDeleted: true,
    personal: { data: gone },
    other: 'id instanceId whatsappMessageId kind createdAt',
  },
  forgottenMessages: {
    of: ofContact('contact_id'),
    personal: { content: blank, fileName: gone },
    other: 'id instanceId whatsappMessageId messageId contactId messageType forgottenAt',
  },
  undoneSends: { other: 'conversationId clientMessageId undoneAt' },
  preAttendanceTemp: {
    of: ofContact('contact_id'),
    isDeleted: true,
    personal: { phoneNumber: gone, contactName: gone, originalMessage: gone },
    other: 'id instanceId contactId conversationId stage createdAt lastMessageAt',
  },
  queuePendingConversations: {
    other: 'id conversationId contactId registeredAt processedAt toldPosition toldAt',
  },
  outbox: {
    of: ofConversation('conversation_id'),
    personal: {
      state: sql`case when state in ('pending', 'sending', 'unknown') then 'cancelled' else state end`,
      leaseUntil: gone,
      lastError: gone,
    },
    other:
      'id instanceId conversationId messageId priority notBefore tries firstAttemptAt unknownSince ' +
      'isRecorded createdAt',
  },

  // platform: events name what changed and contain no copy of it.
  jobs: { other: 'name leaseUntil doneAt' },
  jobRuns: {
    other:
      'id name state attempt stalled step done total startedBy createdAt startedAt heartbeatAt ' +
      'cancelRequestedAt finishedAt error',
  },
  events: { other: 'seq tx type userId conversationId messageId data createdAt' },
  presence: { other: 'connectionId processId userId connectedAt heartbeatAt lastInputAt' },

  // notices: troubles of numbers and machines.
  notices: { other: 'id kind subject fact since begunAt shownAt seenAt endedAt' },
  noticeDismissals: { other: 'userId noticeId dismissedAt' },

  // reports: computed from the messages; a saved filter names people of the team, and categories and tags.
  conversationFacts: {
    other:
      'conversationId startedAt firstReplyAt firstReplyMs openFirstReplyMs queueMs ' +
      'openQueueMs handlingMs openHandlingMs endedBy',
  },
  factsDue: { other: 'id conversationId' },
  savedReports: { other: 'id userId name filter createdAt' },

  // maintenance: keyed hashes, and counts.
  privacyRequests: { other: 'id kind contactId userId proof fingerprints echoesUntil createdAt' },
  // The backups themselves keep what they have; a restore leaves out who was anonymized.
  maintenanceBackups: {
    other:
      'id name type status filePath size conversationsCount messagesCount mediaFilesCount error ' +
      'isEncrypted isScheduled isImported proof runId createdBy createdAt completedAt',
  },
  maintenanceRuns: { other: 'id kind backupId step stepAt error plan cleanup retention' },
  restoredFiles: { other: 'name runId' },
  maintenancePlans: { other: 'id plan backupDay retentionDay updatedAt' },
}

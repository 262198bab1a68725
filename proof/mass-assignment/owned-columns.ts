import { flagNames } from '../access/law/table.ts'

/** What a changing call takes and changes, as it was reviewed. */
export interface Owned {
  /** The names of its body, which are left as they are. */
  takes: readonly string[]
  /** `table.column`, `+table` for new rows, `-table` for deleted ones. */
  changes: readonly string[]
}

const words = (...texts: string[]) => texts.flatMap((text) => text.split(' ')).filter((word) => word !== '')

const own = (takes: string, ...changes: string[]): Owned => ({
  takes: words(takes),
  changes: words(...changes),
})

/** Every act of a person is recorded and told. */
const act = '+audit_logs +events'

/** A message in a conversation. */
const written =
  '+messages conversations.last_activity_at conversations.last_message_id conversations.message_count ' +
  'conversations.version'

/** A message of ours, which is to be sent. */
const sent = `${written} +outbox`

/** The client no longer waits, and what he wrote is read. */
const answered = 'conversations.receipt_message_id conversations.waiting_for conversations.waiting_since'

/** It has another operator, or none, with a line in its timeline. */
const assigned =
  '+messages conversations.assigned_user_id conversations.status conversations.sub_status ' +
  'conversations.version queue_pending_conversations.processed_at'

const settings = `${act} system_settings.updated_at system_settings.values system_settings.version`

const secondFactor =
  'users.totp_confirmed_at users.totp_last_step users.totp_secret_encrypted users.updated_at'

/** A file that is begun, or goes on, by whoever does that. */
const importing =
  '+audit_logs contact_imports.actor contact_imports.ended_at contact_imports.known ' +
  'contact_imports.mapping contact_imports.may_create_companies contact_imports.resumed_at ' +
  'contact_imports.started_at contact_imports.state'

/** A run of maintenance that waits for its turn. */
const run = '+audit_logs +job_runs +maintenance_runs'
const plan = 'auditDays backupTime backupsKept inboxDays isBackupScheduled mediaDays textDays'

/** By the ids of the rows. A call that is not listed here, or takes a new name, makes the proof fail. */
export const owned: Readonly<Record<string, Owned>> = {
  'POST /api/auth/login': own(
    'code password trustDevice username',
    '+audit_logs +sessions users.failed_login_attempts users.last_login_attempt_at',
  ),
  'POST /api/auth/logout': own('', act, 'sessions.ended_at'),
  'PUT /api/profile/away': own('isAway'),
  'POST /api/auth/reauthenticate': own(
    'code password',
    '+audit_logs +rate_limits rate_limits.count sessions.confirmed_at',
  ),
  'PUT /api/profile': own(
    'currentPassword email name password',
    act,
    'users.email users.name users.updated_at',
  ),
  'POST /api/profile/password-strength': own('known password'),
  'DELETE /api/profile/sessions/{id}': own('', act, 'sessions.ended_at'),
  'DELETE /api/profile/sessions': own('', act, 'sessions.ended_at'),
  'PUT /api/profile/picture': own('', act, '+files files.user_id'),
  'DELETE /api/profile/picture': own('', act, 'files.user_id'),
  'POST /api/profile/second-factor': own('', 'users.totp_last_step users.totp_secret_encrypted'),
  'PUT /api/profile/second-factor': own(
    'code trustDevice',
    act,
    '+rate_limits +recovery_codes users.totp_confirmed_at users.totp_last_step users.updated_at',
  ),
  'DELETE /api/profile/second-factor': own('', act, secondFactor),
  'POST /api/profile/recovery-codes': own('', '+audit_logs +recovery_codes -recovery_codes'),
  'DELETE /api/users/{id}/sessions': own('', act, 'sessions.ended_at'),
  'DELETE /api/users/{id}/second-factor': own('', act, secondFactor, 'sessions.ended_at'),
  'PUT /api/second-factor-duties': own('roles', '+audit_logs'),
  'POST /api/notices/{id}/dismiss': own('', '+events +notice_dismissals notice_dismissals.dismissed_at'),
  'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)': own(
    'clientMessageId to',
    sent,
    answered,
    '+events',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': own(
    'clientMessageId to',
    sent,
    act,
    '+conversations',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/undo': own(
    '',
    act,
    '+undone_sends -messages -outbox conversations.last_message_id conversations.message_count',
    'conversations.version conversations.waiting_since',
  ),
  'POST /api/conversations/{id}/messages': own(
    'clientMessageId content quotedMessageId',
    sent,
    assigned,
    answered,
    act,
  ),
  'POST /api/conversations/{id}/messages/{messageId}/retry': own(
    '',
    '+events messages.delivery_status messages.version outbox.state',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}/reaction': own(
    'emoji',
    '+events +message_reactions message_reactions.reacted_at +pending_updates +webhook_inbox',
    'conversations.version',
    'messages.version webhook_inbox.processed_at',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}': own(
    'content',
    act,
    'messages.content messages.version',
  ),
  'DELETE /api/conversations/{id}/messages/{messageId}': own(
    '',
    act,
    'conversations.version conversations.waiting_since messages.deleted_at messages.delivery_status',
    'messages.version outbox.state',
  ),
  'PUT /api/conversations/{id}/draft': own('content quotedMessageId', '+conversation_drafts +events'),
  'POST /api/conversations/{id}/view': own('action', '+events +messages'),
  'PUT /api/conversations/{id}/read': own('lastMessageId', '+conversation_reads +events'),
  'DELETE /api/conversations/{id}/read': own('', '+conversation_reads +events'),
  'PATCH /api/conversations/{id}/toggle-auto-close': own(
    'disableAutoClose',
    act,
    'conversations.disable_auto_close conversations.version',
  ),
  'PUT /api/conversations/{id}/assistant': own('isOff', act, '+assistant_turns +messages'),
  'POST /api/conversations/{id}/assistant/summary': own(''),
  'POST /api/conversations/{id}/assistant/suggestion': own(''),
  'PATCH /api/conversations/{id}/priority': own(
    'priority',
    act,
    'conversations.priority conversations.version',
  ),
  'POST /api/conversations/{id}/transfer': own(
    'holderId newOperatorId note version',
    assigned,
    act,
    '+outbox conversations.last_message_id conversations.message_count',
  ),
  'POST /api/conversations/take-next': own('', assigned, act),
  'PATCH /api/conversations/{id}/assign-operator (self)': own('holderId operatorId version', assigned, act),
  'PATCH /api/conversations/{id}/assign-operator (other)': own('holderId operatorId version', assigned, act),
  'POST /api/conversations/hand-over (queue)': own(
    'note to',
    assigned,
    act,
    '+queue_pending_conversations conversations.waiting_for',
  ),
  'POST /api/conversations/hand-over (other)': own(
    'note to',
    act,
    '+messages +outbox conversations.assigned_user_id conversations.last_message_id',
    'conversations.message_count conversations.version',
  ),
  'POST /api/conversations/{id}/finalize': own(
    'holderId notes version',
    act,
    '+messages +outbox conversations.completed_at conversations.last_message_id',
    'conversations.message_count conversations.notes conversations.status conversations.version',
    'conversations.waiting_for conversations.waiting_since queue_pending_conversations.processed_at',
  ),
  'DELETE /api/conversations/{open}': own('', act, '+forgotten_messages -conversations -messages'),
  'DELETE /api/conversations/{archived}': own('', act, '+forgotten_messages -conversations -messages'),
  'POST /api/contacts/by-phone (known)': own('name phone'),
  'POST /api/contacts/by-phone (new)': own('name phone', '+audit_logs +contact_identities +contacts'),
  'PUT /api/contacts/{id}': own(
    'category companyId email name notes phone tags updatedAt',
    '+audit_logs contacts.name contacts.name_folded contacts.notes contacts.updated_at',
  ),
  'POST /api/contacts': own(
    'category companyId email name notes phone tags',
    '+audit_logs +contact_identities +contacts',
  ),
  'DELETE /api/contacts/{id}': own('', '+audit_logs contacts.deleted_at contacts.updated_at'),
  'POST /api/contacts/{id}/restore': own('', '+audit_logs contacts.deleted_at contacts.updated_at'),
  'POST /api/contacts/{id}/block': own(
    '',
    act,
    '+messages contacts.is_blocked contacts.updated_at conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
  ),
  'POST /api/contacts/{id}/anonymize': own(
    '',
    act,
    '+messages +privacy_requests -contact_identities contacts.erased_at contacts.has_gateway_name',
    'contacts.name contacts.name_folded contacts.phone contacts.updated_at conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
    'messages.content messages.metadata messages.version',
  ),
  'POST /api/contacts/{id}/unblock': own('', '+audit_logs contacts.is_blocked contacts.updated_at'),
  'POST /api/contacts/{id}/merge': own(
    'otherId',
    '+audit_logs +contact_merges +events contact_identities.contact_id contacts.deleted_at contacts.phone',
    'contacts.updated_at conversations.contact_id conversations.version',
    'queue_pending_conversations.contact_id',
  ),
  'POST /api/contacts/merges/{id}/undo': own(
    '',
    '+audit_logs +contact_distinctions contact_merges.undone_at contacts.deleted_at contacts.name',
    'contacts.name_folded contacts.has_gateway_name contacts.updated_at contacts.phone',
  ),
  'POST /api/contacts/{id}/keep-apart': own('otherId', '+audit_logs +contact_distinctions'),
  'POST /api/contacts/{id}/start-conversation (existing)': own(''),
  'POST /api/contacts/{id}/start-conversation (new)': own(''),
  'POST /api/contacts/{id}/send-message': own('clientMessageId content', sent, act, '+conversations'),
  'POST /api/contacts/import': own('', '+contact_imports'),
  'POST /api/contacts/imports/{id}/start (skip)': own('known mapping', importing),
  'POST /api/contacts/imports/{id}/start (update)': own('known mapping', importing),
  'POST /api/contacts/imports/{id}/stop': own(
    '',
    '+audit_logs contact_imports.ended_at contact_imports.state',
  ),
  'POST /api/contacts/imports/{id}/continue (skip)': own('', importing),
  'POST /api/contacts/imports/{id}/continue (update)': own('', importing),
  'POST /api/contacts/imports/{id}/undo': own(
    '',
    '+audit_logs contact_imports.actor contact_imports.may_create_companies contact_imports.state',
  ),
  'DELETE /api/contacts/imports/{id}': own('', '-contact_imports'),
  'POST /api/maintenance/backup': own('name type', run, '+maintenance_backups maintenance_backups.run_id'),
  'DELETE /api/maintenance/backups/{id}': own('', '+audit_logs -maintenance_backups'),
  'POST /api/maintenance/restore/{backupId}/preview': own('restoreComplete restoreSettings', run),
  'POST /api/maintenance/restore/{backupId}': own('restoreComplete restoreSettings', run),
  'POST /api/maintenance/runs/{runId}/stop': own('', '+audit_logs maintenance_runs.error'),
  'POST /api/maintenance/cleanup/preview': own('dateFrom dateTo'),
  'POST /api/maintenance/cleanup': own('dateFrom dateTo', run),
  'PUT /api/maintenance/plan': own(
    `${plan} version`,
    '+audit_logs +maintenance_plans maintenance_plans.plan maintenance_plans.updated_at',
  ),
  'POST /api/maintenance/plan/preview': own(plan),
  'POST /api/contact-categories': own(
    'color description isActive name priority',
    '+audit_logs +contact_categories',
  ),
  'PUT /api/contact-categories/{id}': own(
    'color description isActive name priority updatedAt',
    '+audit_logs contact_categories.color contact_categories.description contact_categories.is_active',
    'contact_categories.name contact_categories.priority contact_categories.updated_at',
  ),
  'DELETE /api/contact-categories/{id}': own('', '+audit_logs -contact_categories'),
  'POST /api/reports/saved': own('filter name', '+saved_reports saved_reports.filter'),
  'DELETE /api/reports/saved/{id}': own('', '-saved_reports'),
  'POST /api/companies': own('isActive name phone responsibleName', '+audit_logs +companies'),
  'PUT /api/companies/{id}': own(
    'isActive name phone responsibleName updatedAt',
    '+audit_logs companies.is_active companies.name companies.phone companies.responsible_name',
    'companies.updated_at',
  ),
  'DELETE /api/companies/{id}': own('', '+audit_logs -companies'),
  'POST /api/companies/{id}/merge': own('otherId', '+audit_logs -companies companies.updated_at'),
  'POST /api/companies/{id}/keep-apart': own('otherId', '+audit_logs +company_distinctions'),
  'POST /api/users': own('email isActive name password role username', '+audit_logs +users'),
  'PUT /api/users/{id}': own(
    'email isActive name password role username',
    act,
    'users.name users.updated_at',
  ),
  'DELETE /api/users/{other}': own('', act, 'users.deleted_at users.is_active users.updated_at'),
  'POST /api/users/{other}/toggle-block': own('', act, 'users.is_blocked users.updated_at'),
  'POST /api/user-permissions': own('flags userId', act, '+user_permissions'),
  'PUT /api/user-permissions/{userId}': { takes: flagNames, changes: words(act, '+user_permissions') },
  'PATCH /api/system-settings': own(
    'autoDistributionEnabled autoReplyMessage blockedFileMessage enableSoundNotifications ' +
      'enableViewTrackingForAll farewellMessage finalizationMessage greetingMessage inactivityAppliesTo ' +
      'inactivityCountsOpenHoursOnly inactivityMessage inactivityWarningMessage ' +
      'inactivityWarningMinutes isAutoReplyEnabled lgpdMessage lunchBreak maxActivePerOperator ' +
      'operatorInitiatedWarningMessage phoneAnswersCount preAttendanceCancelMessage ' +
      'preAttendanceEnabled preAttendanceInvalidMessage preAttendanceMessage queueMessage ' +
      'queuePositionUpdateMessage queueWelcomeMessage quickResponses ratingMessage ratingsEnabled ' +
      'readReceiptsEnabled scheduleExceptions timezone transferMessage undoSendSeconds ' +
      'verificationMessage version warningMessage whatsappNumber workingHours',
    settings,
  ),
  'PUT /api/media-settings': own('blockedFileMessage', settings),
  'POST /api/quick-responses/file': own('', '+files'),
  'PUT /api/gpt-maker-config': own(
    'agentId agentName apiToken autoResponse autoResponseDelay canSuggest canSummarize fallbackToHuman ' +
      'helpBaseUrl helpKey helpModel isActive isHelpKeyRemoved maxRetries',
    act,
    '+gpt_maker_config gpt_maker_config.agent_id gpt_maker_config.agent_name gpt_maker_config.updated_at',
  ),
  'POST /api/gpt-maker-config/test': own(
    'agentId apiToken helpBaseUrl helpKey helpModel question what',
    '+audit_logs',
  ),
  'POST /api/evolution-config': own(
    'apiKey baseUrl instanceName isActive webhookUrl',
    act,
    '+evolution_api_config evolution_api_config.status',
  ),
  'PUT /api/evolution-config/{id}': own(
    'apiKey baseUrl instanceName isActive webhookUrl',
    act,
    'evolution_api_config.api_key_encrypted evolution_api_config.status evolution_api_config.updated_at',
  ),
  'POST /api/evolution-config/test': own('apiKey baseUrl', '+audit_logs'),
  'POST /api/evolution-config/setup-webhook': own(
    '',
    '+audit_logs evolution_api_config.instance_token_encrypted evolution_api_config.updated_at',
    'evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'POST /api/evolution-config/{id}/connect': own('number', '+audit_logs'),
  'POST /api/evolution-config/{id}/restart': own('', act, '+webhook_inbox webhook_inbox.processed_at'),
  'POST /api/evolution-config/{id}/logout': own(
    '',
    act,
    'evolution_api_config.closed_at evolution_api_config.closed_reason evolution_api_config.status',
  ),
  'POST /api/evolution-config/{id}/webhook': own(
    '',
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'POST /api/doctor': own(
    '',
    // A webhook that is ours to set is set.
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'POST /api/first-steps/skip': own('step', '+first_steps first_steps.is_team_skipped'),
  'POST /api/media/upload': own(
    'caption clientMessageId contactId conversationId height isVoice quotedMessageId seconds width',
    sent,
    assigned,
    answered,
    act,
    '+files files.message_id',
  ),
}

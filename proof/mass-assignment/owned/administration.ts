import { act, own, type Owned } from './owned.ts'

const settings = `${act} system_settings.updated_at system_settings.values system_settings.version`

/** A run of maintenance that waits for its turn. */
const run = '+audit_logs +job_runs +maintenance_runs'
const plan = 'auditDays backupTime backupsKept inboxDays isBackupScheduled mediaDays textDays'

/** Settings, the gateway, the assistant, maintenance, and the rest of what administrators do. */
export const administration: Readonly<Record<string, Owned>> = {
  'POST /api/notices/{id}/dismiss': own('', '+events +notice_dismissals notice_dismissals.dismissed_at'),
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
  'POST /api/reports/saved': own('filter name', '+saved_reports saved_reports.filter'),
  'DELETE /api/reports/saved/{id}': own('', '-saved_reports'),
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
  'PUT /api/evolution-config/{id}/settings': own(
    'autoReplyMessage finalizationMessage inactivityMessage inactivityWarningMessage isAutoReplyEnabled ' +
      'lunchBreak operatorInitiatedWarningMessage preAttendanceCancelMessage preAttendanceEnabled ' +
      'preAttendanceInvalidMessage preAttendanceMessage queueMessage queuePositionUpdateMessage ' +
      'queueWelcomeMessage ratingMessage ratingsEnabled scheduleExceptions transferMessage warningMessage ' +
      'workingHours',
    act,
    'evolution_api_config.own_settings evolution_api_config.updated_at',
  ),
  'DELETE /api/evolution-config/{id}': own(
    '',
    act,
    'evolution_api_config.deleted_at evolution_api_config.is_active evolution_api_config.own_settings',
    'evolution_api_config.api_key_encrypted evolution_api_config.api_key_hint',
    'evolution_api_config.updated_at',
  ),
  'POST /api/evolution-config/test': own('apiKey baseUrl id', '+audit_logs'),
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
}

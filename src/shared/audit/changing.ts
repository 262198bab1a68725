import type { AuditAction } from './audit-actions.ts'

/**
 * The acts that leave everything as it was: who came and went, what was read, exported, examined or tried.
 * What is not named here counts as a change.
 */
export const unchangingActions = [
  'access.denied',
  'assistant.test',
  'audit.export',
  'auth.confirm',
  'auth.confirm_failed',
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.other_user',
  'contact.export',
  'contact.export_errors',
  'contact.personal_data',
  'conversation.export',
  'conversation.read',
  'conversation.suggest',
  'conversation.summarize',
  'conversation.transcribe',
  'gateway.examine',
  'gateway.refused',
  'gateway.test',
  'maintenance.backup',
  'maintenance.backup_end',
  'maintenance.copy',
  'maintenance.download',
  'maintenance.preview',
  'report.export',
  'report.rows',
] as const satisfies readonly AuditAction[]

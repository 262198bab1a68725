import type { Flag, Role } from '#shared/permissions.ts'
import type { CleanupCounts, MaintenanceKind, RestoreChoice } from '#shared/maintenance/maintenance.ts'
import type { RetentionCounts } from '#shared/maintenance/maintenance-plan.ts'
import type { ErrorCode } from '#shared/text/error-texts.ts'
import type { AuditAction, AuditResource } from './audit-actions.ts'

/** The value of a field before and after. */
export type Change = readonly [before: unknown, after: unknown]
/** What an act changed, by field. */
export type Changes<Field extends string = string> = Partial<Record<Field, Change>>

interface Nothing {
  changes?: never
}

/** A person's address of the gateway and where it sends what arrives; the hosts only, see `auditedUrl`. */
interface Destinations {
  instanceName: string
  baseUrl: string
  webhookUrl: string | null
}

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface AuditDetails {
  'auth.login': Nothing
  /** `attempt`: of those in a row. `isLoginLocked`: this one has locked the account. */
  'auth.login_failed': {
    reason: ErrorCode
    attempt?: number
    isLoginLocked?: boolean
    /** The password was right, the code was not. */
    isWrongCode?: true
  }
  'auth.logout': Nothing
  'auth.other_user': Nothing
  'auth.confirm': { by: 'password' | 'code' }
  'auth.confirm_failed': { by: 'password' | 'code' }
  'user.first_admin': Nothing
  'user.create': { role: Role; isActive: boolean }
  /** `freed`: conversations that went back to the FILA. */
  'user.update': { changes: Changes<'role' | 'isActive'>; isPasswordChanged?: true; freed?: number }
  'user.block': { freed: number }
  'user.unblock': { wasBlocked: boolean; wasLocked: boolean }
  'user.delete': { role: Role; freed: number }
  'user.reset_password': { endedSessions: number; unlocked: boolean }
  'user.profile': { isPasswordChanged?: true }
  'user.picture': { isRemoved: boolean }
  /** `sessionId`: of one of them; absent: all, or all others. */
  'user.end_sessions': { sessionId?: number; ended: number }
  'user.second_factor_on': Nothing
  'user.second_factor_off': Nothing
  'user.second_factor_reset': Nothing
  'user.recovery_codes': Nothing
  'permissions.update': { changes: Changes<Flag> }
  'permissions.second_factor': { changes: Changes<'roles'> }
  /** `call`: the row of the permission table. */
  'access.denied': { call: string; reason: ErrorCode }
  'conversation.read': { contactId: number; assignedUserId: number | null }
  'conversation.export': { contactId: number; format: 'html' | 'text'; messages: number }
  'conversation.start': { contactId: number }
  'conversation.take': { by: 'reply' }
  'conversation.assign': { to: number; from: number | null }
  'conversation.unassign': { from: number | null }
  'conversation.transfer': { to: number; from: number | null }
  'conversation.distribute': {
    to: number
    active: number
    waiting: number
    capacity: number
    among: number
  }
  'conversation.auto_close': { changes: Changes<'disableAutoClose'> }
  'conversation.priority': { changes: Changes<'priority'> }
  'conversation.finalize': { assignedUserId: number | null }
  'conversation.auto_finalize': { assignedUserId: number | null }
  'conversation.delete': {
    protocol: string
    contactId: number
    assignedUserId: number | null
    status: string
    messageCount: number
  }
  'conversation.assistant': { changes: Changes<'isOff'> }
  /** `messages`: how many the server was shown. */
  'conversation.summarize': { messages: number }
  'conversation.suggest': { messages: number }
  'message.edit': { conversationId: number }
  'message.delete': { conversationId: number }
  'message.undo': { conversationId: number }
  'contact.create': Nothing
  /** `fields`: all that were changed, also those whose values are not kept. `company`: the names. */
  'contact.change': { fields: string[]; changes: Changes<'company' | 'category'> }
  /** The ids of its identities, which it gets back if it is restored. */
  'contact.delete': { identityIds: number[] }
  'contact.restore': Nothing
  'contact.block': Nothing
  'contact.unblock': Nothing
  'contact.merge': { mergedId: number }
  'contact.part': { otherId: number }
  'contact.distinct': { otherId: number }
  /** `request`: the row of the requests that says how much was given out, or erased. */
  'contact.personal_data': { request: number }
  'contact.anonymize': { request: number }
  /** `rows`: how many contacts, or rows of a file, left the product. */
  'contact.export': { filter: Record<string, string>; format: 'csv' | 'xlsx'; rows: number }
  'contact.export_errors': { importId: number; rows: number }
  /** `rows`: of the file. `known`: what is done with the contacts that exist. */
  'contact.import': { importId: number; rows: number; known: 'update' | 'skip' }
  'contact.import_stop': { importId: number; doneRows: number; rows: number }
  'contact.import_continue': { importId: number; doneRows: number; rows: number }
  /** What became of the rows. Which contacts they were stands with the import for 30 days. */
  'contact.import_end': { importId: number; created: number; updated: number; errors: number }
  'contact.import_undo': { importId: number }
  'contact.import_undone': { importId: number; deleted: number; restored: number }
  'category.create': { name: string }
  /** Its name after the change. */
  'category.change': {
    name: string
    changes: Changes<'name' | 'description' | 'priority' | 'color' | 'isActive'>
  }
  /** `contacts`: how many have no category now. */
  'category.delete': { name: string; contacts: number }
  'company.create': { name: string }
  /** Its name after the change. */
  'company.change': { name: string; changes: Changes<'name' | 'isActive'> }
  /** `contacts`: how many have no company now. */
  'company.delete': { name: string; contacts: number }
  /** `contacts`: how many were the other's. */
  'company.merge': { name: string; otherId: number; otherName: string; contacts: number }
  'company.distinct': { name: string; otherId: number }
  'settings.change': { version: number; names: string[]; changes: Changes }
  'gateway.create': Destinations
  'gateway.update': Destinations & { changes: Changes; isKeyChanged: boolean }
  /** What of a number is its own, and what is again the installation's. */
  'gateway.settings': { instanceName: string; names: string[]; changes: Changes }
  'gateway.delete': { instanceName: string }
  'gateway.test': { baseUrl: string; success: boolean }
  'gateway.webhook': { instanceName: string; url: string }
  'gateway.connect': { instanceName: string; isCreated: boolean; isByNumber: boolean }
  'gateway.restart': { instanceName: string }
  'gateway.logout': { instanceName: string }
  /** The causes that an examination has found. */
  'gateway.examine': { faults: string[] }
  'gateway.refused': { attempt: string; reason: ErrorCode } & Partial<Destinations & { url: string }>
  'assistant.update': { changes: Changes; isTokenChanged: boolean; isKeyChanged: boolean }
  /** `server`: the agent's id, or the address of the other one. */
  'assistant.test': { what: 'agent' | 'help'; server: string; success: boolean }
  /** `rows`: how many rows left the product. */
  'report.export': { part: string; format: 'csv' | 'xlsx'; filter: Record<string, string | number> }
  'maintenance.backup': { name: string }
  'maintenance.backup_end': { name: string; status: 'completed' | 'failed' }
  'maintenance.delete': { name: string }
  'maintenance.import': { name: string }
  'maintenance.copy': Nothing
  /** `madeAt`: when the copy was made that the installation was attached from. */
  'maintenance.attach': { madeAt: string }
  'maintenance.move': Nothing
  'maintenance.media_move': { to: 'disk' | 's3' }
  /** Files without a row that were removed. */
  'maintenance.media_clean': { files: number }
  'maintenance.download': { name: string }
  'maintenance.preview': { name: string } & RestoreChoice
  'maintenance.restore': { name: string } & RestoreChoice
  /** `added`: rows of all tables. */
  'maintenance.restore_end': { name: string; added: number }
  'maintenance.cleanup': Partial<{ dateFrom: string; dateTo: string; cleanAll: true }>
  'maintenance.cleanup_end': CleanupCounts
  'maintenance.stop': { kind: MaintenanceKind }
  'maintenance.plan': { changes: Changes }
  'maintenance.retention': RetentionCounts
  'audit.export': { filter: Record<string, string | number>; rows: number }
  /** The ids of the rows that lost their personal values, and whose these were. */
  'audit.erase': { resourceType: AuditResource; resourceId: string; rows: number[] }
}

/** The values that concern a person: they stand apart, and can be erased. */
interface AuditPersonal {
  /** The name as it was typed; absent when it was the password. */
  'auth.login_failed': { typed?: string }
  'user.first_admin': { username: string }
  'user.create': { username: string; name: string }
  'user.update': { changes: Changes<'username' | 'name' | 'email'> }
  'user.delete': { username: string }
  'user.profile': { changes: Changes<'name' | 'email'> }
  'contact.create': { name: string | null; phone: string }
  'contact.change': { changes: Changes<'name' | 'phone' | 'email' | 'tags'> }
  'contact.delete': { name: string; phone: string | null }
  'contact.restore': { name: string; phone: string | null }
  'contact.import': { fileName: string }
  'company.change': { changes: Changes<'phone' | 'responsibleName'> }
}

export type DetailsOf<Action extends AuditAction> = AuditDetails[Action]
export type PersonalOf<Action extends AuditAction> = Action extends keyof AuditPersonal
  ? AuditPersonal[Action]
  : Nothing

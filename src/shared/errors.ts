import { errorTexts, type ErrorCode } from '#shared/text/error-texts.ts'

export { errorBody, type ErrorBody } from './error-body.ts'
export type { ErrorCode }

/** The HTTP status follows from the code, so that rules do not deal with HTTP. */
const statuses = {
  'request.invalid': 400,
  'request.not_found': 404,
  'request.too_large': 413,
  'request.cross_origin': 403,
  'request.failed': 500,
  'request.too_many': 429,
  'request.unavailable': 503,
  'request.disk_full': 507,
  'auth.required': 401,
  'auth.forbidden': 403,
  'auth.invalid_credentials': 401,
  'auth.blocked': 403,
  'auth.locked': 423,
  'auth.too_many_attempts': 429,
  'auth.code_required': 401,
  'auth.wrong_code': 401,
  'auth.reauthenticate': 403,
  'auth.not_confirmed': 422,
  'auth.entry_pending': 403,
  'profile.wrong_password': 422,
  'profile.same_password': 422,
  'profile.picture_kind': 422,
  'profile.picture_too_large': 413,
  'second_factor.is_on': 409,
  'second_factor.is_off': 409,
  'second_factor.is_duty': 409,
  'sessions.not_found': 404,
  'auth.blank': 400,
  'users.not_found': 404,
  'users.username_taken': 409,
  'users.email_taken': 409,
  'users.self': 403,
  'users.last_admin': 409,
  'users.common_password': 422,
  'permissions.exists': 409,
  'permissions.of_admin': 409,
  'conversations.not_found': 404,
  'conversations.queue_empty': 404,
  'conversations.completed': 409,
  'conversations.taken': 409,
  'conversations.changed': 409,
  'conversations.target_unavailable': 422,
  'conversations.target_without_number': 422,
  'messages.not_found': 404,
  'messages.not_retryable': 409,
  'messages.not_reactable': 409,
  'messages.not_yours': 403,
  'messages.not_editable': 409,
  'messages.not_deletable': 409,
  'messages.not_forwardable': 409,
  'messages.edit_too_late': 409,
  'messages.delete_too_late': 409,
  'messages.under_way': 409,
  'messages.already_sent': 409,
  'messages.undone': 409,
  'messages.change_refused': 409,
  'media.not_found': 404,
  'media.unavailable': 502,
  'media.store_away': 503,
  'media.bad_range': 416,
  'media.not_shown': 415,
  'media.too_large': 413,
  'media.too_large_here': 413,
  'media.blocked': 422,
  'media.missing': 400,
  'media.empty': 422,
  'contacts.not_found': 404,
  'contacts.blocked': 403,
  'contacts.erased': 409,
  'contacts.changed': 409,
  'contacts.phone_taken': 409,
  'contacts.phone_in_use': 409,
  'contacts.has_open_conversation': 409,
  'contacts.merge_not_found': 404,
  'contacts.merge_gone': 409,
  'contacts.category_not_found': 422,
  'reports.not_found': 404,
  'reports.too_many': 409,
  'imports.not_found': 404,
  'imports.unreadable': 422,
  'imports.empty': 422,
  'imports.no_phone': 422,
  'imports.no_name': 422,
  'imports.field_twice': 422,
  'imports.changed': 409,
  'imports.too_old': 409,
  'maintenance.not_found': 404,
  'maintenance.busy': 409,
  'maintenance.not_completed': 409,
  'maintenance.in_progress': 409,
  'maintenance.nothing_chosen': 422,
  'maintenance.bad_period': 422,
  'maintenance.over': 409,
  'maintenance.failed': 500,
  'maintenance.gone': 410,
  'maintenance.store_away': 503,
  'maintenance.plan_changed': 409,
  'categories.not_found': 404,
  'categories.duplicate': 409,
  'categories.changed': 409,
  'companies.not_found': 404,
  'companies.unknown': 422,
  'companies.inactive': 422,
  'companies.duplicate': 409,
  'companies.changed': 409,
  'settings.changed': 409,
  'gateway.not_configured': 409,
  'gateway.unreachable': 502,
  'gateway.duplicate': 409,
  'gateway.address_refused': 422,
  'gateway.weak_key': 422,
  'gateway.bad_key': 422,
  'gateway.key_refused': 502,
  'gateway.key_needed': 400,
  'gateway.not_found': 404,
  'gateway.key_of_instance': 502,
  'gateway.license': 502,
  'gateway.inactive': 409,
  'gateway.none_given': 409,
  'gateway.has_open': 409,
  'gateway.has_unsent': 409,
  'gateway.connected': 409,
  'gateway.not_linked': 409,
  'gateway.bad_number': 422,
  'assistant.off': 409,
  'assistant.busy': 429,
  'assistant.failed': 502,
  'assistant.nothing': 409,
  'assistant.incomplete': 400,
} as const satisfies Record<ErrorCode, number>

/**
 * A refusal. Rules throw it and the error handler answers with it as `ErrorBody`. Rooms offer named factories
 * (`conversationNotFound()`); programs compare `code`, never the text.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  /**
   * @param more `values` fill the placeholders of the text, `fields` names the refused fields of a form, and
   * `text` takes the place of the code's own
   */
  constructor(
    code: ErrorCode,
    more: {
      values?: Record<string, string>
      fields?: Record<string, string>
      text?: string
      retryAfterSeconds?: number
    } = {},
  ) {
    super(
      more.text ??
        errorTexts[code].replace(/\{(\w+)\}/g, (whole, key: string) => more.values?.[key] ?? whole),
    )
    this.code = code
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get status(): number {
    return statuses[this.code]
  }
}

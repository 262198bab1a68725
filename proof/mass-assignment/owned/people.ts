import { flagNames } from '../../access/law/table.ts'
import { act, own, type Owned, words } from './owned.ts'

const secondFactor =
  'users.totp_confirmed_at users.totp_last_step users.totp_secret_encrypted users.updated_at'

/** Who signs in, and the accounts of the team. */
export const people: Readonly<Record<string, Owned>> = {
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
  'POST /api/users': own('email isActive name numberIds password role username', '+audit_logs +users'),
  'PUT /api/users/{id}': own(
    'email isActive name numberIds password role username',
    act,
    'users.name users.updated_at',
  ),
  'DELETE /api/users/{other}': own('', act, 'users.deleted_at users.is_active users.updated_at'),
  'POST /api/users/{other}/toggle-block': own('', act, 'users.is_blocked users.updated_at'),
  'POST /api/user-permissions': own('flags userId', act, '+user_permissions'),
  'PUT /api/user-permissions/{userId}': { takes: flagNames, changes: words(act, '+user_permissions') },
}

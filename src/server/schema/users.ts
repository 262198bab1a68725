import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { type Flags, roles } from '#shared/permissions.ts'
import type { SilentHours } from '#shared/settings/silent-hours.ts'
import { scopes } from '#shared/users/scope.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { month, since } from './declare/ends.ts'
import { always } from './declare/restored.ts'
import { resourceId } from './declare/resource.ts'
import { table } from './declare/table.ts'
import { pauseReasons } from './workday/pause-reasons.ts'

const security = { left: 'the security of accounts is no matter of a file' } as const

const leftFromCopies = {
  leftOutOf: ['copy', 'upgrade'],
  why: 'one that is ended after the copy would live again',
} as const

export const users = table(
  'users',
  {
    id: rowId(),
    username: text('username').notNull(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: roles }).notNull().default('operator'),
    isActive: boolean('is_active').notNull().default(true),
    isBlocked: boolean('is_blocked').notNull().default(false),
    /** Somebody else chose the password: the person must choose another one before anything else. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    /** The shared secret of the second factor, encrypted; it counts once a code has confirmed it. */
    totpSecretEncrypted: text('totp_secret_encrypted'),
    totpConfirmedAt: at('totp_confirmed_at'),
    /** The 30-second step (since 1970) of the last accepted code, so that each code is good once. */
    totpLastStep: integer('totp_last_step'),
    /** Set by hand as 'Ausente', until the person resets it. */
    isAway: boolean('is_away').notNull().default(false),
    /** The pause that the person is in, until they end it; never together with 'Ausente'. */
    pauseReasonId: integer('pause_reason_id').references(() => pauseReasons.id),
    pausedAt: at('paused_at'),
    failedLoginAttempts: integer('failed_login_attempts').notNull().default(0),
    lastLoginAttemptAt: at('last_login_attempt_at'),
    /**
     * The third wrong password in a row for an operator or a supervisor: new logins are refused until an
     * administrator unblocks them, sessions go on.
     */
    loginLockedAt: at('login_locked_at'),
    /** Until then no password is compared. An administrator is never shut out for longer. */
    lockedUntil: at('locked_until'),
    /** Number of consecutive locks: each lasts twice as long as the one before. */
    lockCount: integer('lock_count').notNull().default(0),
    /** The numbers that were given to the person; null: all, also those that are added later. */
    numberIds: integer('number_ids').array(),
    /** Of which conversations the person knows. @see src/shared/users/scope.ts */
    scope: text('scope', { enum: scopes }).notNull().default('all'),
    /** The person sees only the ends of clients' telephone numbers. */
    hidesPhones: boolean('hides_phones').notNull().default(false),
    /** With hidden numbers: may have one shown, which is recorded. */
    revealsPhones: boolean('reveals_phones').notNull().default(false),
    /** When the console is quiet for the person; null: as the settings say. */
    silentHours: jsonb('silent_hours').$type<SilentHours>(),
    /** Soft deletion: the person's name stays with what they did. */
    deletedAt: at('deleted_at'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'complete',
      label: 'Usuários',
      restored: {
        match: sql`(lower(t.username) = lower(s.username)
          and ((t.deleted_at is null and s.deleted_at is null) or t.created_at = s.created_at))`,
        isAdded: always,
      },
      without: `
        passwordHash isActive isBlocked mustChangePassword totpSecretEncrypted totpConfirmedAt totpLastStep
        isAway pauseReasonId pausedAt failedLoginAttempts lastLoginAttemptAt loginLockedAt lockedUntil
        lockCount
      `,
    },
    resource: { type: 'user', name: sql`select u.name from users u where u.id = ${resourceId}` },
    ends: { kept: 'an account that was deleted keeps its name, for what the person did' },
    waits: {
      leases: { lockedUntil: sql`least(900000 * power(2, least(t.lock_count - 1, 7)), 86400000)` },
    },
    other: `
      id username email passwordHash name role isActive isBlocked mustChangePassword totpSecretEncrypted
      totpConfirmedAt totpLastStep isAway pauseReasonId pausedAt failedLoginAttempts lastLoginAttemptAt
      loginLockedAt lockedUntil lockCount numberIds scope hidesPhones revealsPhones silentHours
      deletedAt createdAt updatedAt
    `,
  },
  (t) => [
    uniqueIndex('users_username_living')
      .on(sql`lower(${t.username})`)
      .where(sql`${t.deletedAt} is null`),
    uniqueIndex('users_email_living')
      .on(sql`lower(${t.email})`)
      .where(sql`${t.deletedAt} is null`),
    check('users_role', oneOf(t.role, roles)),
    check('users_scope', oneOf(t.scope, scopes)),
    check('users_pause', sql`(${t.pauseReasonId} is null) = (${t.pausedAt} is null)`),
    check('users_attempts', sql`${t.failedLoginAttempts} between 0 and 3`),
  ],
)

/** Overrides the defaults of the role; contains all 34 flags. */
export const userPermissions = table(
  'user_permissions',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    flags: jsonb('flags').$type<Flags>().notNull(),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: security,
    ends: { bounded: 'by the accounts' },
    other: 'userId flags createdAt updatedAt',
  },
)

export const sessions = table(
  'sessions',
  {
    id: rowId(),
    /** SHA-256 of the token: a copy of the database gives no access. */
    tokenHash: text('token_hash').notNull().unique(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
    lastSeenAt: at('last_seen_at').notNull().default(appNow),
    endedAt: at('ended_at'),
    /** When the person last gave the password or a code: what is sensitive asks again after ten minutes. */
    confirmedAt: at('confirmed_at').notNull().default(appNow),
    /** At the sign-in the role had the duty of a second factor, and the account none. */
    mustEnroll: boolean('must_enroll').notNull().default(false),
    userAgent: text('user_agent'),
    address: text('address'),
  },
  {
    backup: security,
    wholeCopy: leftFromCopies,
    ends: {
      trimmed: {
        by: 'trim-rate-limits',
        after: month,
        since: sql`coalesce(t.ended_at,
        least(t.last_seen_at + interval '12 hours', t.created_at + interval '7 days'))`,
      },
    },
    other: 'id tokenHash userId createdAt lastSeenAt endedAt confirmedAt mustEnroll userAgent address',
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/** One-time codes that replace one of the telephone. */
export const recoveryCodes = table(
  'recovery_codes',
  {
    id: rowId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** Keyed: older ones have forty bits, which could be enumerated. */
    codeHash: text('code_hash').notNull(),
    usedAt: at('used_at'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: security,
    ends: { bounded: 'by ten for an account' },
    other: 'id userId codeHash usedAt createdAt',
  },
  (t) => [uniqueIndex('recovery_codes_code').on(t.userId, t.codeHash)],
)

/** Browsers that need no code for 30 days. */
export const trustedDevices = table(
  'trusted_devices',
  {
    id: rowId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the cookie. */
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: security,
    wholeCopy: leftFromCopies,
    ends: { trimmed: { by: 'trim-rate-limits', after: month, since: since('created_at') } },
    other: 'id userId tokenHash createdAt',
  },
  (t) => [index('trusted_devices_user').on(t.userId)],
)

/** The roles that must have a second factor. */
export const secondFactorDuties = table(
  'second_factor_duties',
  {
    role: text('role', { enum: roles }).primaryKey(),
    /** When it begins; in a new installation after seven days. */
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: security,
    ends: { bounded: 'by the roles' },
    other: 'role createdAt',
  },
  (t) => [check('second_factor_duties_role', oneOf(t.role, roles))],
)

/** What somebody is invited to: with the link they make an account of their own, once, within three days. */
export const invitations = table(
  'invitations',
  {
    id: rowId(),
    /** SHA-256 of the token in the link. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Whom the link is for, as whoever invites writes it. */
    name: text('name').notNull().default(''),
    role: text('role', { enum: roles }).notNull(),
    /** The numbers that the person will have; null: all. */
    numberIds: integer('number_ids').array(),
    /** The permissions that the person will have; null: those of the role. */
    flags: jsonb('flags').$type<Flags>(),
    invitedBy: integer('invited_by')
      .notNull()
      .references(() => users.id),
    /** The telephone to which the link was last sent, in digits. */
    sentTo: text('sent_to'),
    sentAt: at('sent_at'),
    expiresAt: at('expires_at').notNull(),
    withdrawnAt: at('withdrawn_at'),
    usedAt: at('used_at'),
    /** The account that was made with it. */
    userId: integer('user_id').references(() => users.id),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: security,
    wholeCopy: leftFromCopies,
    ends: {
      trimmed: {
        by: 'trim-rate-limits',
        after: month,
        since: sql`coalesce(t.used_at, t.withdrawn_at, t.expires_at)`,
      },
    },
    other: `
      id tokenHash name role numberIds flags invitedBy sentTo sentAt expiresAt withdrawnAt usedAt userId
      createdAt
    `,
  },
  (t) => [check('invitations_role', oneOf(t.role, roles))],
)

/** Counters of login attempts by key (address, user name, unknown user), shared by all instances. */
export const rateLimits = table(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull().default(0),
    windowEndsAt: at('window_ends_at').notNull(),
  },
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-rate-limits', after: '0', since: since('window_ends_at') } },
    other: 'key count windowEndsAt',
  },
)

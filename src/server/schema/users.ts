import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { type Flags, roles } from '#shared/permissions.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'

export const users = pgTable(
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
    failedLoginAttempts: integer('failed_login_attempts').notNull().default(0),
    lastLoginAttemptAt: at('last_login_attempt_at'),
    /**
     * The third wrong password in a row for an operator or a supervisor: new logins are refused until an
     * administrator unblocks them, sessions go on.
     */
    loginLockedAt: at('login_locked_at'),
    /** The same for an administrator, who is never shut out for good. */
    lockedUntil: at('locked_until'),
    /** Number of consecutive lockouts of an administrator: each lasts twice as long as the one before. */
    lockCount: integer('lock_count').notNull().default(0),
    /** The numbers that were given to the person; null: all, also those that are added later. */
    numberIds: integer('number_ids').array(),
    /** Soft deletion: the person's name stays with what he did. */
    deletedAt: at('deleted_at'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  (t) => [
    uniqueIndex('users_username_living')
      .on(sql`lower(${t.username})`)
      .where(sql`${t.deletedAt} is null`),
    uniqueIndex('users_email_living')
      .on(sql`lower(${t.email})`)
      .where(sql`${t.deletedAt} is null`),
    check('users_role', oneOf(t.role, roles)),
    check('users_attempts', sql`${t.failedLoginAttempts} between 0 and 3`),
  ],
)

/** Overrides the defaults of the role; contains all 34 flags. */
export const userPermissions = pgTable('user_permissions', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  flags: jsonb('flags').$type<Flags>().notNull(),
  createdAt: at('created_at').notNull().default(appNow),
  updatedAt: at('updated_at').notNull().default(appNow),
})

export const sessions = pgTable(
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
  (t) => [index('sessions_user').on(t.userId)],
)

/** One-time codes that replace one of the telephone. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: rowId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** Keyed, because forty bits could be enumerated. */
    codeHash: text('code_hash').notNull(),
    usedAt: at('used_at'),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [uniqueIndex('recovery_codes_code').on(t.userId, t.codeHash)],
)

/** Browsers that need no code for 30 days. */
export const trustedDevices = pgTable(
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
  (t) => [index('trusted_devices_user').on(t.userId)],
)

/** The roles that must have a second factor. */
export const secondFactorDuties = pgTable(
  'second_factor_duties',
  {
    role: text('role', { enum: roles }).primaryKey(),
    createdAt: at('created_at').notNull().default(appNow),
  },
  (t) => [check('second_factor_duties_role', oneOf(t.role, roles))],
)

/** Counters of login attempts by key (address, user name, unknown user), shared by all instances. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  count: integer('count').notNull().default(0),
  windowEndsAt: at('window_ends_at').notNull(),
})

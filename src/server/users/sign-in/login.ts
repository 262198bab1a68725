import type { DetailsOf } from '#shared/audit/audit-actions.ts'
import { AppError } from '#shared/errors.ts'
import type { LoginForm } from '#shared/users/users.ts'
import { record, recordRepeated } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction } from '#server/platform/database/db.ts'
import type { RequestSource } from '#server/platform/http/request-source.ts'
import { hashToken, randomToken, type Secrets } from '#server/platform/secrets.ts'
import { guesserAddress } from '#server/platform/http/guesser-address.ts'
import { takeCode } from '#server/users/second-factor/codes.ts'
import { isTrustedDevice, listDuties, trustDevice } from '#server/users/second-factor/queries.ts'
import { type LoginTurn, loginTurn } from './login-turns.ts'
import { isPassword, isPasswordOfNobody, PasswordsBusy } from './passwords.ts'
import {
  countDown,
  countNow,
  countUp,
  findLivingUser,
  forgetAttempts,
  giveAttemptBack,
  insertSession,
  listSessionAddresses,
  lockLogin,
  takeAttempt,
  type UserRow,
} from './queries.ts'

const invalidCredentials = () => new AppError('auth.invalid_credentials')
const blocked = () => new AppError('auth.blocked')
const locked = () => new AppError('auth.locked')
const tooMany = () => new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })

const windowMinutes = 15
const failuresPerAddressAndName = 10
const failuresPerAddress = 100

export interface LoginContext {
  secrets: Secrets
  source: RequestSource
  /** Whether failures are also counted by address. */
  isLimitedByAddress: boolean
  /** The cookie of a browser that may need no code. */
  deviceToken: string | undefined
}

export interface SignedIn {
  token: string
  userId: number
  sessionId: number
  /** Of a browser that needs no code for 30 days from now on. */
  deviceToken: string | undefined
}

/**
 * Compares name, password and, with a second factor, the code, and opens a session. After three consecutive
 * wrong passwords new logins of an operator or a supervisor are refused (403), those of an administrator for
 * a while (423). Parallel guesses share the three attempts, and a wrong code counts as a wrong password. An
 * unknown name gets the answer of an operator's, equally slowly.
 * @returns the token, of which only the hash is stored, and the person
 * @throws AppError 401 (also when the code is missing), 403, 423, or 429 when an address guesses too often or
 *   too many sign in at once
 * @see specification §8 Login, security D-L
 */
export async function signIn(database: Database, form: LoginForm, context: LoginContext): Promise<SignedIn> {
  const turn = loginTurn(form.username)
  try {
    await refuseGuessers(database, form.username, context)
    const user = await findLivingUser(database, form.username)
    if (!user?.isActive) return await failAsNobody(database, form, context, turn)
    await compare(database, user, form, context, turn)
    return await openSession(database, user, form, context)
  } catch (error) {
    const refusal = error instanceof PasswordsBusy ? tooMany() : error
    if (refusal instanceof AppError && refusal.code === 'auth.too_many_attempts')
      await recordUncompared(database, form, context, { reason: refusal.code })
    throw refusal
  } finally {
    turn.end()
  }
}

async function openSession(
  database: Database,
  { id: userId, username, name, role, passwordHash, totpConfirmedAt }: UserRow,
  form: LoginForm,
  { source }: LoginContext,
): Promise<SignedIn> {
  const token = randomToken()
  const deviceToken = totpConfirmedAt && form.code && form.trustDevice ? randomToken() : undefined
  const sessionId = await inTransaction(database, async (db) => {
    // During the comparison a third wrong password or a new password may have come.
    if (!(await forgetAttempts(db, userId, passwordHash)))
      throw isShutOut(await findLivingUser(db, username)) ? blocked() : invalidCredentials()
    const { address, device: userAgent } = source
    if (deviceToken) await trustDevice(db, userId, hashToken(deviceToken))
    const mustEnroll = !totpConfirmedAt && (await listDuties(db)).includes(role)
    const tokenHash = hashToken(token)
    const id = await insertSession(db, { tokenHash, userId, mustEnroll, userAgent, address })
    const person = { id: userId, name, role, sessionId: id, source }
    await record(db, person, { action: 'auth.login', resourceId: userId })
    return id
  })
  return { token, userId, sessionId, deviceToken }
}

async function compare(
  database: Database,
  user: UserRow,
  form: LoginForm,
  context: LoginContext,
  turn: LoginTurn,
): Promise<void> {
  const attempt = await takeAttemptInTurn(database, user, turn)
  if (attempt === undefined) {
    await countFailure(database, form.username, context)
    const refusal = await refusalOf(database, user)
    await recordUncompared(database, form, context, { reason: refusal.code }, user.id)
    throw refusal
  }
  const isRight = await isPassword(user.passwordHash, form.password).catch(async (error: unknown) => {
    // Nothing was compared, so it was no guess.
    if (error instanceof PasswordsBusy) await giveAttemptBack(database, user.id)
    throw error
  })
  if (isRight && (await isSecondFactor(database, user, form, context))) return
  await countFailure(database, form.username, context)
  const isLoginLocked = attempt >= 3
  const refusal = isLoginLocked
    ? user.role === 'admin'
      ? locked()
      : blocked()
    : isRight
      ? new AppError('auth.wrong_code')
      : invalidCredentials()
  const failure = {
    reason: refusal.code,
    attempt,
    isLoginLocked,
    ...(isRight && { isWrongCode: true as const }),
  }
  await inTransaction(database, async (db) => {
    if (isLoginLocked) {
      await lockLogin(db, user)
      db.emit({ type: 'account_changed', userId: user.id })
    }
    await recordFailure(db, form, context, failure, user.id)
  })
  throw refusal
}

type Failure = DetailsOf<'auth.login_failed'>

const failureOf = (form: LoginForm, details: Failure, userId: number | undefined) =>
  ({
    action: 'auth.login_failed',
    outcome: 'refused',
    resourceId: userId,
    details,
    personal: isPasswordTyped(form) ? {} : { typed: form.username.toWellFormed() },
  }) as const

/** Whoever slips by a field types the password as the name, which must not be kept. */
function isPasswordTyped({ username, password }: LoginForm): boolean {
  const [name, secret] = [username.toLowerCase(), password.trim().toLowerCase()]
  return name === secret || (secret.length >= 6 && name.includes(secret))
}

function recordFailure(db: Db, form: LoginForm, { source }: LoginContext, details: Failure, userId?: number) {
  return record(db, { source }, failureOf(form, details, userId))
}

/** Without a comparison, which takes time, attempts may be many. Those of one address share a row. */
function recordUncompared(
  database: Database,
  form: LoginForm,
  { source }: LoginContext,
  details: Failure,
  userId?: number,
) {
  const key = JSON.stringify([guesserAddress(source.address ?? ''), details.reason, userId])
  return recordRepeated(database, { source }, failureOf(form, details, userId), key)
}

/**
 * Whether the account has no second factor, the browser is trusted, or the code is right.
 * @throws AppError 401 when the code is missing, which is no wrong one
 */
async function isSecondFactor(
  database: Database,
  user: UserRow,
  { code }: LoginForm,
  { secrets, deviceToken }: LoginContext,
): Promise<boolean> {
  if (!user.totpConfirmedAt) return true
  if (code) return (await takeCode(database, secrets, user, code)) !== undefined
  if (deviceToken && (await isTrustedDevice(database, user.id, hashToken(deviceToken)))) return true
  await giveAttemptBack(database, user.id)
  throw new AppError('auth.code_required')
}

/**
 * Takes an attempt, of which three may be in progress at once. A further one waits for one of them to end: if
 * that one was right, attempts are available again, so a person whose tabs all sign in at once is not
 * refused. Waiting never gives a fourth guess.
 * @returns undefined when none is left
 */
async function takeAttemptInTurn(
  database: Database,
  user: UserRow,
  turn: LoginTurn,
): Promise<number | undefined> {
  for (;;) {
    const attempt = await takeAttempt(database, user.id)
    if (attempt !== undefined) {
      turn.begin()
      return attempt
    }
    const now = await findLivingUser(database, user.username)
    if (!now || isShutOut(now) || now.lockedUntil !== null) return undefined
    if (!(await turn.otherHasEnded())) return undefined
  }
}

const isShutOut = (user: UserRow | undefined) =>
  user !== undefined && (user.isBlocked || user.loginLockedAt !== null)

/** Reads the row again: the one we have is older than the attempts that others made in the meantime. */
async function refusalOf(database: Database, user: UserRow): Promise<AppError> {
  const now = await findLivingUser(database, user.username)
  if (isShutOut(now)) return blocked()
  return user.role === 'admin' ? locked() : blocked()
}

async function failAsNobody(
  database: Database,
  form: LoginForm,
  context: LoginContext,
  turn: LoginTurn,
): Promise<never> {
  const key = `nobody:${context.secrets.fingerprint(form.username.toLowerCase())}`
  const attempt = await countUp(database, key, 60 * 24 * 365)
  if (attempt <= 3) {
    turn.begin()
    await isPasswordOfNobody(form.password).catch(async (error: unknown) => {
      if (error instanceof PasswordsBusy) await countDown(database, key)
      throw error
    })
  } else {
    // Waits as a fourth guess at a real account does: a quicker answer would reveal that the account does not
    // exist.
    let isWaiting = true
    while (isWaiting) isWaiting = await turn.otherHasEnded()
  }
  await countFailure(database, form.username, context)
  const refusal = attempt < 3 ? invalidCredentials() : blocked()
  if (attempt <= 3) await recordFailure(database, form, context, { reason: refusal.code, attempt })
  else await recordUncompared(database, form, context, { reason: refusal.code })
  throw refusal
}

async function refuseGuessers(database: Database, username: string, context: LoginContext): Promise<void> {
  if (!context.isLimitedByAddress) return
  const [ofBoth, ofAddress] = await Promise.all([
    countNow(database, bothKey(username, context)),
    countNow(database, addressKey(context)),
  ])
  if (ofBoth >= failuresPerAddressAndName) throw tooMany()
  if (ofAddress < failuresPerAddress) return
  // An office shares one address: who is signed in there vouches for the others.
  const here = guesserAddress(context.source.address ?? '')
  const living = await listSessionAddresses(database)
  if (!living.some((address) => guesserAddress(address) === here)) throw tooMany()
}

async function countFailure(database: Database, username: string, context: LoginContext): Promise<void> {
  if (!context.isLimitedByAddress) return
  await countUp(database, bothKey(username, context), windowMinutes)
  await countUp(database, addressKey(context), windowMinutes)
}

const bothKey = (username: string, context: LoginContext) =>
  `${addressKey(context)}:${context.secrets.fingerprint(username.toLowerCase())}`
const addressKey = ({ source }: LoginContext) => `login:${guesserAddress(source.address ?? '')}`

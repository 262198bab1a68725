import { AppError } from '#shared/errors.ts'
import type { LoginForm } from '#shared/users/users.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { takeCode } from '#server/users/second-factor/codes.ts'
import { isTrustedDevice, isDutyOf, trustDevice } from '#server/users/second-factor/queries.ts'
import {
  countDown,
  countUp,
  forgetAttempts,
  giveAttemptBack,
  giveNobodysAttemptBack,
  hasNoAttempts,
  isUnchanged,
  lockLogin,
  takeAttempt,
  takeNobodysAttempt,
} from './attempts.ts'
import { countFailure, type GuesserContext, refuseGuessers } from './guessers.ts'
import { knownBrowser, withKnownPerson } from './known-browsers.ts'
import { recordFailure, recordUncompared } from './login-failures.ts'
import { type LoginTurn, loginTurn } from './login-turns.ts'
import { isPassword, isPasswordOfNobody, PasswordsBusy } from './passwords.ts'
import { findLivingUser, insertSession, type UserRow } from './queries.ts'

const invalidCredentials = () => new AppError('auth.invalid_credentials')
const blocked = () => new AppError('auth.blocked')
const tooMany = () => new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })

export interface LoginContext extends GuesserContext {
  /** The cookie of a browser that may need no code. */
  deviceToken: string | undefined
  /** The cookie of a browser by which people have signed in before. */
  knownCookie: string | undefined
}

export interface SignedIn {
  token: string
  userId: number
  sessionId: number
  /** Of a browser that needs no code for 30 days from now on. */
  deviceToken: string | undefined
  /** Of a browser by which people have signed in before. */
  knownCookie: string
}

/**
 * Compares name, password and, with a second factor, the code, and opens a session. After three consecutive
 * wrong passwords new logins are refused: of an operator or a supervisor until somebody unblocks them, of an
 * administrator for a while. Parallel guesses share the three attempts, and a wrong code counts as a wrong
 * password. A browser by which the person has signed in before, and whoever has the password and a code, are
 * let in all the same. What a stranger observes is the same for every name, also for one that is nobody's.
 * @returns the token, of which only the hash is stored, and the person
 * @throws AppError 401 (also when the code is missing), 403, or 429 when an address guesses too often or
 *   too many sign in at once
 * @see specification §8 Login, security D-L
 */
export async function signIn(database: Database, form: LoginForm, context: LoginContext): Promise<SignedIn> {
  const turn = loginTurn(form.username)
  try {
    await refuseGuessers(database, form.username, context)
    const user = await findLivingUser(database, form.username)
    if (!user?.isActive) return await failAsNobody(database, form, context, turn)
    const passesLock = await compare(database, user, form, context, turn)
    return await openSession(database, user, form, context, passesLock)
  } catch (error) {
    const refusal = error instanceof PasswordsBusy ? tooMany() : error
    if (refusal instanceof AppError && refusal.code === 'auth.too_many_attempts')
      await recordUncompared(database, form, context.source, { reason: refusal.code })
    throw refusal
  } finally {
    turn.end()
  }
}

async function openSession(
  database: Database,
  user: UserRow,
  form: LoginForm,
  { source, secrets, knownCookie }: LoginContext,
  passesLock: boolean,
): Promise<SignedIn> {
  const { id: userId, username, name, role, passwordHash, totpConfirmedAt } = user
  const token = randomToken()
  const deviceToken = totpConfirmedAt && form.code && form.trustDevice ? randomToken() : undefined
  const sessionId = await inTransaction(database, async (db) => {
    // During the comparison a third wrong password or a new password may have come.
    const isOpen =
      (await forgetAttempts(db, userId, passwordHash)) ||
      (passesLock && (await isUnchanged(db, userId, passwordHash)))
    if (!isOpen) {
      const now = await findLivingUser(db, username)
      if (now?.passwordHash !== passwordHash) throw invalidCredentials()
      throw now.isBlocked ? new AppError('auth.blocked_by_person') : blocked()
    }
    const { address, device: userAgent } = source
    if (deviceToken) await trustDevice(db, userId, hashToken(deviceToken))
    const mustEnroll = !totpConfirmedAt && (await isDutyOf(db, role))
    const tokenHash = hashToken(token)
    const id = await insertSession(db, { tokenHash, userId, mustEnroll, userAgent, address })
    const person = { id: userId, name, role, sessionId: id, source }
    await record(db, person, { action: 'auth.login', resourceId: userId })
    return id
  })
  return { token, userId, sessionId, deviceToken, knownCookie: withKnownPerson(secrets, user, knownCookie) }
}

/** @returns whether a lock of the account is none for this attempt */
async function compare(
  database: Database,
  user: UserRow,
  form: LoginForm,
  context: LoginContext,
  turn: LoginTurn,
): Promise<boolean> {
  const attempt = await takeAttemptInTurn(database, user, turn)
  if (attempt === undefined) return passLock(database, user, form, context)
  const giveBack = () => giveAttemptBack(database, user.id)
  const isRight = await compared(isPassword(user.passwordHash, form.password), giveBack)
  const factor = isRight ? await secondFactorOf(database, user, form, context, giveBack) : undefined
  if (factor !== undefined)
    return factor !== 'none' || knownBrowser(context.secrets, user, context.knownCookie) !== undefined
  await countFailure(database, form.username, context)
  const isLoginLocked = attempt >= 3
  // Who was locked before is told so until a right password comes, as names that are nobody's are.
  const refusal =
    isLoginLocked || user.lockCount > 0 || user.loginLockedAt !== null
      ? blocked()
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
    await recordFailure(db, form, context.source, failure, user.id)
  })
  throw refusal
}

/** A password that was not compared, because too many were, was no guess. */
function compared(comparison: Promise<boolean>, giveBack: () => Promise<void>): Promise<boolean> {
  return comparison.catch(async (error: unknown) => {
    if (error instanceof PasswordsBusy) await giveBack()
    throw error
  })
}

const dayMinutes = 24 * 60
const guessesPerDay = 10

/**
 * An attempt at an account whose lock compares no passwords. A browser that the person has signed in by
 * before may guess ten times a day; whoever brings a code as well needs both, and hears of ten wrong codes a
 * day that came with the right password, so that no stranger can use these up.
 * @returns true
 * @throws AppError 403 for all others, as for a name that is nobody's
 */
async function passLock(
  database: Database,
  user: UserRow,
  form: LoginForm,
  context: LoginContext,
): Promise<true> {
  const browser = knownBrowser(context.secrets, user, context.knownCookie)
  if (browser !== undefined && (await countUp(database, browser, dayMinutes)) <= guessesPerDay) {
    const giveBack = () => countDown(database, browser)
    const isRight = await compared(isPassword(user.passwordHash, form.password), giveBack)
    if (isRight && (await secondFactorOf(database, user, form, context, giveBack)) !== undefined) {
      await giveBack()
      return true
    }
  } else if (form.code) {
    const isRight = await isPassword(user.passwordHash, form.password)
    const key = isRight ? `locked-code:${user.id}` : lockedGuess
    const count = await countUp(database, key, dayMinutes)
    const { secrets } = context
    if (isRight && count <= guessesPerDay && user.totpConfirmedAt !== null) {
      const judged = await takeCode(database, secrets, user, form.code)
      if (judged !== 'wrong') await countDown(database, key)
      if (judged === 'right') return true
    }
  }
  await countFailure(database, form.username, context)
  const refusal = blocked()
  await recordUncompared(database, form, context.source, { reason: refusal.code }, user.id)
  throw refusal
}

/** Counted without effect, for equal work. */
const lockedGuess = 'locked-guess'

/**
 * By what the account is entered besides the password: a code, a browser that is trusted instead, or nothing
 * where it has no second factor.
 * @param giveBack returns the attempt
 * @returns undefined for a wrong code
 * @throws AppError 401 when the code is missing, or was used a moment ago, which is no wrong one
 */
async function secondFactorOf(
  database: Database,
  user: UserRow,
  { code }: LoginForm,
  { secrets, deviceToken }: LoginContext,
  giveBack: () => Promise<void>,
): Promise<'none' | 'code' | 'device' | undefined> {
  if (!user.totpConfirmedAt) return 'none'
  if (code) {
    const judged = await takeCode(database, secrets, user, code)
    if (judged !== 'repeated') return judged === 'right' ? 'code' : undefined
    await giveBack()
    throw new AppError('auth.wrong_code')
  }
  if (deviceToken && (await isTrustedDevice(database, user.id, hashToken(deviceToken)))) return 'device'
  await giveBack()
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
    if (await hasNoAttempts(database, user.id)) return undefined
    if (!(await turn.otherHasEnded())) return undefined
  }
}

async function failAsNobody(
  database: Database,
  form: LoginForm,
  context: LoginContext,
  turn: LoginTurn,
): Promise<never> {
  const key = `nobody:${context.secrets.fingerprint(form.username.toLowerCase())}`
  const attempt = await takeNobodysAttempt(database, key)
  if (attempt !== undefined) {
    turn.begin()
    await compared(isPasswordOfNobody(form.password), () => giveNobodysAttemptBack(database, key))
  } else {
    // Waits as a fourth guess at a real account does: a quicker answer would reveal that the account does not
    // exist.
    let isWaiting = true
    while (isWaiting) isWaiting = await turn.otherHasEnded()
    if (form.code) {
      await isPasswordOfNobody(form.password)
      await countUp(database, lockedGuess, dayMinutes)
    }
  }
  await countFailure(database, form.username, context)
  const refusal = attempt !== undefined && attempt < 3 ? invalidCredentials() : blocked()
  const details = { reason: refusal.code, attempt }
  if (attempt !== undefined) await recordFailure(database, form, context.source, details)
  else await recordUncompared(database, form, context.source, { reason: refusal.code })
  throw refusal
}

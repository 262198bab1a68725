import {
  confirmIdentity as confirmIdentityCall,
  endOtherSessions,
  endOwnSession as endOwnSessionCall,
  endSessionsOf as endSessionsOfCall,
  expectConfirmation,
  listOwnSessions,
  listSessionsOf as listSessionsOfCall,
  ratePassword,
  setSilentHours,
  updateProfile,
} from '#shared/users/profile.ts'
import type { DetailsOf } from '#shared/audit/audit-actions.ts'
import { AppError } from '#shared/errors.ts'
import { record } from '#server/audit/audit.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { endSessionsOf, lockAccount } from '#server/users/accounts/account-queries.ts'
import { forgetDevices } from '#server/users/second-factor/queries.ts'
import { confirmIdentity } from '#server/users/sign-in/confirm.ts'
import { isStrictFor, isWeakPassword, passwordStrength } from '#server/users/sign-in/password-strength.ts'
import { findUser } from '#server/users/sign-in/queries.ts'
import { meOf, refreshSessions } from '#server/users/sign-in/sessions.ts'
import { changeProfile, changeSilentHours } from './profile.ts'
import { endOwnSession, listSessionsOf } from './sessions.ts'

interface ProfileContext {
  database: Database
  secrets: Secrets
  config: Pick<Config, 'strictPasswords'>
}

/** What everybody does with their own account. */
export function profileRoutes({ route }: Http, context: ProfileContext): void {
  const { database, secrets, config } = context

  const meNow = async ({ sessionId }: Who) => {
    const now = (await refreshSessions(database, [sessionId])).get(sessionId)
    if (!now) throw new AppError('auth.required')
    return { user: meOf(now) }
  }

  route(updateProfile, async ({ who, body }) => {
    const { password } = body
    const known = [who.username, body.name ?? who.name, body.email ?? who.email]
    if (password !== undefined && isStrictFor(config, who.role) && (await isWeakPassword(password, known)))
      throw new AppError('users.common_password')
    await changeProfile({ database, secrets }, who, body)
    return meNow(who)
  })

  route(setSilentHours, async ({ who, body }) => {
    await changeSilentHours(database, who, body.silentHours)
    return meNow(who)
  })

  route(ratePassword, async ({ who, body }) => {
    const rating = await passwordStrength(body.password, body.known ?? [who.username, who.name, who.email])
    return { ...rating, isRefused: isStrictFor(config, who.role) && rating.score <= 1 }
  })

  route(confirmIdentityCall, async ({ who, body: { password, code } }) => {
    const given = password === undefined ? { code: code ?? '' } : { password }
    if (!(await confirmIdentity(database, secrets, who, given))) throw new AppError('auth.not_confirmed')
    return undefined
  })

  route(expectConfirmation, () => Promise.resolve(undefined))

  route(listOwnSessions, ({ who }) => listSessionsOf(database, who.id, who.sessionId))

  route(endOwnSessionCall, async ({ who, params: { id } }) => {
    await inTransaction(database, async (db) => {
      if (!(await endOwnSession(db, who.id, id))) throw new AppError('sessions.not_found')
      db.emit({ type: 'session_ended', userId: who.id })
      await note(db, who, who.id, { sessionId: id, ended: 1 })
    })
    return undefined
  })

  route(endOtherSessions, ({ who }) =>
    inTransaction(database, async (db) => {
      const ended = await endSessionsOf(db, who.id, who.sessionId)
      await forgetDevices(db, who.id)
      db.emit({ type: 'session_ended', userId: who.id })
      await note(db, who, who.id, { ended })
      return { ended }
    }),
  )

  route(listSessionsOfCall, async ({ who, params: { id } }) => {
    if (!(await findUser(database, id))) throw new AppError('users.not_found')
    return listSessionsOf(database, id, who.sessionId)
  })

  route(endSessionsOfCall, ({ who, params: { id } }) =>
    inTransaction(database, async (db) => {
      if (!(await lockAccount(db, id))) throw new AppError('users.not_found')
      await confirmRights(who, db)
      const ended = await endSessionsOf(db, id, id === who.id ? who.sessionId : undefined)
      await forgetDevices(db, id)
      db.emit({ type: 'session_ended', userId: id })
      await note(db, who, id, { ended })
      return { ended }
    }),
  )
}

const note = (db: Tx, who: Who, id: number, details: DetailsOf<'user.end_sessions'>) =>
  record(db, who, { action: 'user.end_sessions', resourceId: id, details })

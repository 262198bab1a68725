import { sql } from 'drizzle-orm'
import { getMe, getServerTime, listOperators, login, logout, type Me, setAway } from '#shared/users.ts'
import { record } from '#server/audit/audit.ts'
import type { SessionPerson } from '#server/platform/http/access.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { sourceOf } from '#server/platform/http/request-source.ts'
import { listPresence } from '#server/platform/live/presence.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { AccountContext } from '#server/users/accounts/account-changes.ts'
import { accountRoutes } from '#server/users/accounts/account-routes.ts'
import { permissionRoutes } from '#server/users/permissions/permission-routes.ts'
import { signIn } from '#server/users/sign-in/login.ts'
import { endSession, setUserAway } from '#server/users/sign-in/queries.ts'
import { cookieName, refreshSessions } from '#server/users/sign-in/sessions.ts'

function meOf(who: SessionPerson): Me {
  const { id, username, email, name, role, isAway, isLoginLocked, flags } = who
  return { id, username, email, name, role, isAway, isLoginLocked, permissions: flags }
}

interface UserRoutesContext extends AccountContext {
  config: Config
  secrets: Secrets
  log: Log
  /** The position in the event log up to which this process has sent everything to its sockets. */
  livePosition(): { epoch: string; cursor: string }
}

export function userRoutes(http: Http, context: UserRoutesContext): void {
  const { route } = http
  const { database, config, secrets, log, livePosition } = context
  accountRoutes(http, context)
  permissionRoutes(http, context)
  const cookie = cookieName(config.publicUrl)
  const cookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.publicUrl?.startsWith('https:') ?? false,
  } as const

  let hasWarned = false
  const warnOnce = () => {
    if (!hasWarned)
      log.warn('logins come through a proxy that TRUST_PROXY does not name: they share its address')
    hasWarned = true
  }

  route(login, 'public', async ({ body, request, reply }) => {
    if (config.trustProxy === undefined && request.headers['x-forwarded-for'] !== undefined) warnOnce()
    const { token, sessionId } = await signIn(database, body, {
      secrets,
      source: sourceOf(request),
      isLimitedByAddress: config.isLoginLimitedByAddress,
    })
    const who = (await refreshSessions(database, [sessionId])).get(sessionId)
    if (!who) throw new Error('the session that was just opened is gone')
    reply.setCookie(cookie, token, cookieOptions)
    return { token, user: meOf(who) }
  })

  route(getMe, [], async ({ who }) => ({ user: meOf(who), live: livePosition() }))

  route(logout, [], async ({ who, reply }) => {
    await inTransaction(database, async (db) => {
      await endSession(db, who.sessionId)
      await record(db, who, { action: 'auth.logout', resourceId: who.id })
      db.emit({ type: 'session_ended', userId: who.id })
    })
    reply.clearCookie(cookie, cookieOptions)
    reply.header('clear-site-data', '"cache"')
    return undefined
  })

  route(setAway, [], async ({ who, body: { isAway } }) => {
    await setUserAway(database, who.id, isAway)
    database.signals.send('presence')
    return { user: meOf({ ...who, isAway }) }
  })

  route(getServerTime, [], async () => ({ serverTime: (await appNow(database)).toISOString() }))

  route(listOperators, [['canTransferConversations', 'canViewStatistics']], async () => {
    const found = await rows<{ id: number; name: string; role: Me['role']; activeConversations: number }>(
      database,
      sql`select u.id, u.name, u.role,
                 (select count(*)::int from conversations c
                   where c.assigned_user_id = u.id and c.status <> 'completed')
                   as "activeConversations"
            from users u where u.is_active and not u.is_blocked and u.deleted_at is null
            order by lower(u.name), u.id`,
    )
    const presence = await listPresence(database)
    return found.map((user) => {
      const state = presence.get(user.id) ?? 'offline'
      return { ...user, presence: state, isOnline: state !== 'offline' }
    })
  })
}

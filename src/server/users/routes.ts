import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { usualCapacity } from '#shared/settings/capacity.ts'
import { getMe, getServerTime, listOperators, login, logout, type Me } from '#shared/users/users.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { byName } from '#server/platform/database/folded.ts'
import type { Http } from '#server/platform/http/http.ts'
import { sourceOf } from '#server/platform/http/source/request-source.ts'
import { isoTime } from '#server/schema/columns.ts'
import { listPresence } from '#server/platform/live/presence.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { AccountContext } from '#server/users/accounts/account-changes.ts'
import { accountRoutes } from '#server/users/accounts/account-routes.ts'
import { type InvitationContext, invitationRoutes } from '#server/users/invitations/invitation-routes.ts'
import { phonesRoutes } from '#server/users/permissions/phones-routes.ts'
import { scopeRoutes } from '#server/users/permissions/scope-routes.ts'
import { permissionRoutes } from '#server/users/permissions/permission-routes.ts'
import { signIn } from '#server/users/sign-in/login.ts'
import { endSession } from '#server/users/sign-in/queries.ts'
import { deviceCookie, knownCookie, sessionCookie } from '#server/users/sign-in/cookies.ts'
import { meOf, refreshSessions } from '#server/users/sign-in/sessions.ts'
import { profileRoutes } from '#server/users/profile/profile-routes.ts'
import { secondFactorRoutes } from '#server/users/profile/second-factor-routes.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'

interface UserRoutesContext extends AccountContext, Pick<InvitationContext, 'sendApart'> {
  config: Config
  secrets: Secrets
  log: Log
  /** The position in the event log up to which this process has sent everything to its sockets. */
  livePosition(): { epoch: string; cursor: string }
  /** The IANA name of the installation's time zone. */
  timezone(): Promise<string>
}

interface OperatorRow extends Record<string, unknown> {
  id: number
  name: string
  role: Me['role']
  picture: string | null
  since: string | null
  activeConversations: number
  capacity: number
  numberIds: number[] | null
}

export function routes(http: Http, context: UserRoutesContext): void {
  const { route } = http
  const { database, config, secrets, log, livePosition, timezone } = context
  accountRoutes(http, context)
  permissionRoutes(http, context)
  scopeRoutes(http, context)
  phonesRoutes(http, context)
  invitationRoutes(http, context)
  profileRoutes(http, context)
  secondFactorRoutes(http, context)
  const cookie = sessionCookie(config.publicUrl)
  const device = deviceCookie(config.publicUrl)
  const known = knownCookie(config.publicUrl)

  let hasWarned = false
  const warnOnce = () => {
    if (!hasWarned)
      log.warn('logins come through a proxy that TRUST_PROXY does not name: they share its address')
    hasWarned = true
  }

  route(login, async ({ body, request, reply }) => {
    if (config.trustProxy === undefined && request.headers['x-forwarded-for'] !== undefined) warnOnce()
    const signedIn = await signIn(database, body, {
      secrets,
      source: sourceOf(request),
      isLimitedByAddress: config.isLoginLimitedByAddress,
      deviceToken: request.cookies[device.name],
      knownCookie: request.cookies[known.name],
    })
    const { token, sessionId, deviceToken } = signedIn
    const who = (await refreshSessions(database, [sessionId])).get(sessionId)
    // Ended by somebody else at the same moment.
    if (!who) throw new AppError('auth.required')
    reply.setCookie(cookie.name, token, cookie.options)
    reply.setCookie(known.name, signedIn.knownCookie, known.options)
    if (deviceToken) reply.setCookie(device.name, deviceToken, device.options)
    return { token, user: meOf(who), timezone: await timezone() }
  })

  route(getMe, async ({ who }) => ({
    user: meOf(who),
    // Before what is read after it.
    live: livePosition(),
    timezone: await timezone(),
  }))

  route(logout, async ({ who, reply }) => {
    await inTransaction(database, async (db) => {
      await endSession(db, who.sessionId)
      await record(db, who, { action: 'auth.logout', resourceId: who.id })
      db.emit({ type: 'session_ended', userId: who.id })
    })
    reply.clearCookie(cookie.name, cookie.options)
    reply.header('clear-site-data', '"cache"')
    return undefined
  })

  route(getServerTime, async () => ({ serverTime: (await appNow(database)).toISOString() }))

  route(listOperators, async () => {
    const found = await rows<OperatorRow>(
      database,
      sql`select u.id, u.name, u.role, f.name as picture,
                 case when u.role <> 'admin' then u.number_ids end as "numberIds",
                 (select ${isoTime(sql`coalesce(w.ended_at, w.started_at)`)} from work_periods w
                   where w.user_id = u.id order by w.started_at desc limit 1) as since,
                 (select count(*)::int from conversations c
                   where c.assigned_user_id = u.id and c.status <> 'completed')
                   as "activeConversations",
                 coalesce((select max(coalesce(z.max_active_per_operator, g.capacity))
                             from sector_people p join sectors z on z.id = p.sector_id
                            where p.user_id = u.id and z.is_active and z.deleted_at is null), g.capacity)
                   as capacity
            from (select coalesce((select (s.values ->> 'maxActivePerOperator')::int from system_settings s
                                    where s.id = 1), ${usualCapacity}::int) as capacity) g,
                 users u left join files f on f.user_id = u.id
           where u.is_active and not u.is_blocked and u.deleted_at is null
            order by ${byName(sql`u.name`, sql`u.id`)}`,
    )
    const presence = await listPresence(database)
    return found.map(({ picture, ...user }) => {
      const { state = 'offline' as const, pause } = presence.get(user.id) ?? {}
      return {
        ...user,
        pictureUrl: pictureUrlOf(picture),
        presence: state,
        ...(pause && { pause }),
        isOnline: state !== 'offline',
      }
    })
  })
}

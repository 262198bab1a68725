import type { IncomingHttpHeaders } from 'node:http'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Scope, scopes } from '#shared/users/scope.ts'
import type { Me } from '#shared/users/users.ts'
import type { SessionPerson, Who } from '#server/platform/http/access.ts'
import type { RequestSource } from '#server/platform/http/source/request-source.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { bearerOf } from '#server/platform/http/bearer.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { effectiveFlags } from './effective-flags.ts'
import { findSessions, listSessions, type SessionRow, touchSessions } from './queries.ts'

function personOf(row: SessionRow): SessionPerson {
  const { id, name, username, email, role, picture, sessionId } = row
  const { isAway, pause, silentHours, isLoginLocked, pending, hasSecondFactor, isConfirmed } = row
  const account = { id, name, username, email, role, picture, sessionId }
  const flags = effectiveFlags(role, row.record)
  const state = { isAway, pause, silentHours, isLoginLocked, pending, hasSecondFactor, isConfirmed }
  const { sectors, hasSectors, hasReasons, hasTags, hasViews, hasMacros } = row
  const reach = {
    numberIds: numbersOf(row),
    sectors,
    hasSectors,
    hasReasons,
    hasTags,
    hasViews,
    hasMacros,
    scope: scopeOf(row),
  }
  return { ...account, ...state, flags, ...reach, ...phonesOf(row) }
}

/** Administrators have all numbers, whatever was given to the account. */
export const numbersOf = ({ role, numberIds }: Pick<SessionRow, 'role' | 'numberIds'>) =>
  role === 'admin' ? null : numberIds

/** From administrators nothing is hidden, whatever stands in the account. */
const phonesOf = ({ role, hidesPhones, revealsPhones }: SessionRow) => {
  const isHidden = role !== 'admin' && hidesPhones
  return { hidesPhones: isHidden, revealsPhones: isHidden && revealsPhones }
}

/** Of which scopes one can be given to a person: supervisors and leads know at least of their sectors. */
export function scopesOffered({ role, sectors }: Pick<SessionRow, 'role' | 'sectors'>): readonly Scope[] {
  if (role === 'admin') return ['all']
  const isAtLeastSector = role === 'supervisor' || sectors.some(({ isLead }) => isLead)
  return isAtLeastSector ? scopes.filter((scope) => scope !== 'own') : scopes
}

/** The scope that holds for a person: the one that was given, or the least that is offered to them. */
export function scopeOf(row: Pick<SessionRow, 'role' | 'scope' | 'sectors'>): Scope {
  const offered = scopesOffered(row)
  return offered.includes(row.scope) ? row.scope : (offered[0] ?? 'all')
}

/** What a person receives about themselves. */
export function meOf(who: SessionPerson): Me {
  const { id, username, email, name, role, isAway, pause, silentHours } = who
  const { isLoginLocked, pending, hasSecondFactor } = who
  const account = { id, username, email, name, role, isLoginLocked, pending, hasSecondFactor }
  const state = { isAway, pause, silentHours }
  const { scope, hasSectors, hasReasons, hasTags, hasViews, hasMacros } = who
  const reach = { sectors: [...who.sectors], scope, hasSectors, hasReasons, hasTags, hasViews, hasMacros }
  const phones = {
    ...(who.hidesPhones && { hidesPhones: true as const }),
    ...(who.revealsPhones && { revealsPhones: true as const }),
  }
  const pictureUrl = pictureUrlOf(who.picture)
  return { ...account, ...state, pictureUrl, permissions: who.flags, ...reach, ...phones }
}

/**
 * Authenticates every request, upload, download and socket by its bearer token, or else by the session
 * cookie.
 * @returns undefined without a valid session of a usable account
 */
export async function identify(
  database: Database,
  request: { headers: IncomingHttpHeaders; cookie: string | undefined; source: RequestSource },
): Promise<Who | undefined> {
  const { headers, cookie, source } = request
  const token = tokenOf(headers) ?? cookie
  if (!token || token.length > 200) return undefined
  const tokenHash = hashToken(token)
  const { find, touch } = batchesOf(database)
  const session = (await find(tokenHash)).find((one) => one.tokenHash === tokenHash)
  if (!session) return undefined
  if (session.isSeenLongAgo) await touch(session.sessionId)
  return { ...personOf(session), source }
}

/** Concurrent requests share their queries: after a restart a thousand people come back at once. */
function createBatches(database: Database) {
  return {
    find: coalesce((tokenHashes: string[]) => findSessions(database, { tokenHashes })),
    touch: coalesce((sessionIds: number[]) => touchSessions(database, sessionIds)),
  }
}

const batches = new WeakMap<Database, ReturnType<typeof createBatches>>()

function batchesOf(database: Database): ReturnType<typeof createBatches> {
  const known = batches.get(database) ?? createBatches(database)
  batches.set(database, known)
  return known
}

/**
 * The token of the Authorization header, or of the protocol list of a socket's upgrade ('bearer, <token>').
 */
function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  return bearerOf(headers) ?? /^bearer, ?([\w-]+)$/.exec(headers['sec-websocket-protocol'] ?? '')?.[1]
}

/** The people of these sessions with their current data; ended sessions are missing. */
export async function refreshSessions(db: Db, sessionIds: number[]): Promise<Map<number, SessionPerson>> {
  const found = await listSessions(db, { ids: sessionIds })
  return new Map(found.map((row) => [row.sessionId, personOf(row)]))
}

import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { admits } from '#shared/acts.ts'
import type { Permission } from '#shared/acts.ts'
import type { Endpoint, Row } from '#shared/endpoint.ts'
import type { SilentHours } from '#shared/settings/silent-hours.ts'
import type { PauseNow, Pending } from '#shared/users/users.ts'
import type { Flags, Role } from '#shared/permissions.ts'
import type { Scope } from '#shared/users/scope.ts'
import type { RequestSource } from './source/request-source.ts'
import type { Db } from '#server/platform/database/db-type.ts'

/** The person of a session, with their effective flags. */
export interface SessionPerson {
  id: number
  name: string
  username: string
  email: string
  role: Role
  /** Set by hand as 'Ausente'. */
  isAway: boolean
  /** The pause that they are in. */
  pause: PauseNow | null
  /** When the console is quiet for them; null: as the settings say. */
  silentHours: SilentHours | null
  /** Wrong passwords have locked new logins. */
  isLoginLocked: boolean
  flags: Flags
  /** The numbers (instance ids) that were given to them; null: all. */
  numberIds: readonly number[] | null
  /** The sectors that they are in, and lead. */
  sectors: readonly { id: number; isLead: boolean }[]
  /** Of which conversations they know. */
  scope: Scope
  /** They see only the ends of clients' telephone numbers; may they have one shown? */
  hidesPhones: boolean
  revealsPhones: boolean
  /** Whether the installation has, or had, any sector. */
  hasSectors: boolean
  /** Whether there are reasons for which conversations end. */
  hasReasons: boolean
  /** Whether there are tags of conversations. */
  hasTags: boolean
  /** Whether anybody has saved a view of the list. */
  hasViews: boolean
  /** Whether there are macros. */
  hasMacros: boolean
  sessionId: number
  /** What must be done before anything else. */
  pending: Pending | null
  hasSecondFactor: boolean
  /** The password or a code was given within the last ten minutes. */
  isConfirmed: boolean
  /** The name of the profile picture's file. */
  picture: string | null
}

/** The person of a request or a socket. */
export interface Who extends SessionPerson {
  source: RequestSource
  /** The macro that they are running, by its name: the audit log has it with each of its acts. */
  macro?: string
}

/** @throws AppError 403 unless the row admits the person */
export function permit(who: Who, row: Row): void {
  if (!isPermitted(who, row)) throw new AppError('auth.forbidden')
  judgements.get(who)?.rows.add(row)
}

/** Who is in the session now, by the given connection or any; undefined when it has ended. */
export type Refresh = (who: Who, db?: Db) => Promise<Who | undefined>

interface Judgement {
  refresh: Refresh
  atMs: number
  /** The rows by which the person may make the call. */
  rows: Set<Row>
}

const judgements = new WeakMap<Who, Judgement>()

/** What is true of a person at the head of a request is asked again when more time has passed. */
const judgedForMs = 500

/** Begins to remember by which rows the person of a request may make it. */
export function beginJudgement(who: Who, refresh: Refresh): void {
  judgements.set(who, { refresh, atMs: performance.now(), rows: new Set() })
}

export function isJudgedLongAgo(who: Who): boolean {
  return performance.now() - (judgements.get(who)?.atMs ?? Infinity) > judgedForMs
}

/**
 * Asks again whether the person of a request may make it, when that was asked a while ago. An act calls it
 * in its transaction once it has the locks for which it may have waited: rights that were taken meanwhile
 * count no more. `who` is brought up to date.
 * @returns whether the person's rights are others than before
 * @throws AppError 401, 403
 */
export async function confirmRights(who: Who, db?: Db): Promise<boolean> {
  const judgement = judgements.get(who)
  if (!judgement || !isJudgedLongAgo(who)) return false
  const now = await judgement.refresh(who, db)
  if (!now) throw new AppError('auth.required')
  const rightsOf = ({ flags, numberIds, sectors, scope, hidesPhones, revealsPhones }: SessionPerson) =>
    JSON.stringify([flags, numberIds, sectors, scope, hidesPhones, revealsPhones])
  const isOther = rightsOf(now) !== rightsOf(who)
  Object.assign(who, now)
  judgement.atMs = performance.now()
  for (const row of judgement.rows) permit(who, row)
  return isOther
}

/** @throws AppError 403 unless the password or a code was given within the last ten minutes */
export function requireConfirmed(who: Who): void {
  if (!who.isConfirmed) throw new AppError('auth.reauthenticate')
}

/** The person while they run a macro: what may be asked of them anew stays the same. */
export function runningMacro(who: Who, macro: string): Who {
  const running = { ...who, macro }
  const judgement = judgements.get(who)
  if (judgement) judgements.set(running, judgement)
  return running
}

/** The same of a call that asks only when its body has certain fields. */
export function requireConfirmedFor(
  { isSensitive }: Pick<Endpoint, 'isSensitive'>,
  who: Who,
  body: unknown,
): void {
  const given = body as Partial<Record<string, unknown>>
  if (Array.isArray(isSensitive) && isSensitive.some((name) => given[name] !== undefined))
    requireConfirmed(who)
}

export function isPermitted(
  { role, flags, sectors }: Pick<Who, 'role' | 'flags' | 'sectors'>,
  permission: Permission,
): boolean {
  return admits(permission, { role, permissions: flags, sectors })
}

/** Whether a number was given to the person: of the others they see nothing. */
export function hasNumber({ numberIds }: Pick<Who, 'numberIds'>, instanceId: number): boolean {
  return numberIds === null || numberIds.includes(instanceId)
}

/** The same as a condition of a query. @param instanceId a column with the number of a row */
export function ofGivenNumber(
  { numberIds }: Pick<Who, 'numberIds'>,
  instanceId: SQLWrapper,
): SQL | undefined {
  return numberIds === null ? undefined : sql`${instanceId} = any(${sql.param(numberIds)}::int[])`
}

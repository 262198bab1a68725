import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Pending } from '#shared/users/users.ts'
import { type Flag, type Flags, holds, type Requirement, type Role } from '#shared/permissions.ts'
import type { RequestSource } from './request-source.ts'
import permissionTable from '#shared/permissions.json' with { type: 'json' }
import type { Db } from '#server/platform/database/db-type.ts'

/** The person of a session, with his effective flags. */
export interface SessionPerson {
  id: number
  name: string
  username: string
  email: string
  role: Role
  /** Set by hand as 'Ausente'. */
  isAway: boolean
  /** Wrong passwords have locked new logins. */
  isLoginLocked: boolean
  flags: Flags
  /** The numbers (instance ids) that were given to him; null: all. */
  numberIds: readonly number[] | null
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
}

/** A row of permissions.json. */
export interface PermissionRow {
  id: string
  method: string
  path: string
  ceiling: readonly string[]
  flags: readonly (readonly string[])[]
  public: boolean
}

const permissionRows = new Map<string, PermissionRow>(
  (permissionTable.endpoints as PermissionRow[]).map((row) => [row.id, row]),
)

/** @throws AppError 403 unless the row's ceiling and flags admit the person */
export function permit(who: Who, rowId: string): void {
  if (!isPermitted(who, rowId)) throw new AppError('auth.forbidden')
  judgements.get(who)?.rows.add(rowId)
}

/** Who is in the session now, by the given connection or any; undefined when it has ended. */
export type Refresh = (who: Who, db?: Db) => Promise<Who | undefined>

interface Judgement {
  refresh: Refresh
  atMs: number
  /** The rows by which the person may make the call. */
  rows: Set<string>
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
  const rightsOf = ({ flags, numberIds }: SessionPerson) => JSON.stringify([flags, numberIds])
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

export function isPermitted(who: Pick<Who, 'role' | 'flags'>, rowId: string): boolean {
  const row = permissionRows.get(rowId)
  return row !== undefined && row.ceiling.includes(who.role) && holds(who.flags, row.flags as Requirement)
}

/** Whether a number was given to the person: of the others he sees nothing. */
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

/** The access that a route declares: public, the flags, or for a call of several rows the flags of each. */
export type Access = 'public' | Requirement | { [rowId: string]: Requirement }

/**
 * Compares a route's declared access with the permission table; a difference stops the process at the start.
 * @throws Error that names the call
 */
export function checkAgainstPermissionTable(call: Endpoint, access: Access): void {
  const wanted = call.path.replace(/:(\w+)/g, '{$1}')
  for (const rowId of call.rows) {
    const row = permissionRows.get(rowId)
    if (!row) throw new Error(`${call.method} ${call.path}: no row '${rowId}' in permissions.json`)
    if (row.method !== call.method || row.path.replace(/\{\w+\}/g, '{}') !== wanted.replace(/\{\w+\}/g, '{}'))
      throw new Error(`${call.method} ${call.path}: row '${rowId}' is of ${row.method} ${row.path}`)
    if (row.public !== (access === 'public')) throw new Error(`${rowId}: public in one place only`)
    const beside =
      access === 'public'
        ? []
        : Array.isArray(access)
          ? access
          : (access as Record<string, Requirement>)[rowId]
    if (!beside || normalized(beside) !== normalized(row.flags as Requirement))
      throw new Error(
        `${rowId}: the handler asks for ${normalized(beside ?? [])}, ` +
          `permissions.json for ${normalized(row.flags as Requirement)}`,
      )
  }
}

function normalized(required: Requirement): string {
  return JSON.stringify(required.map((group) => (typeof group === 'string' ? [group] : [...group])))
}

/**
 * Checks that every row has a route or is listed in notBuiltYet, and that nothing listed there is built.
 * @throws Error that names the rows
 */
export function checkPermissionTableIsServed(served: ReadonlySet<string>): void {
  const notBuilt = new Set<string>(permissionTable.notBuiltYet)
  const missing = [...permissionRows.keys()].filter((row) => !served.has(row) && !notBuilt.has(row))
  const built = [...notBuilt].filter((row) => served.has(row) || !permissionRows.has(row))
  if (missing.length > 0) throw new Error(`permissions.json has rows without a route: ${missing.join('; ')}`)
  if (built.length > 0) throw new Error(`permissions.json lists as not built what is: ${built.join('; ')}`)
}

/** The default flags of a role. @see permissions.json defaults */
export function defaultFlags(role: Exclude<Role, 'admin'>): Flags {
  return permissionTable.defaults[role] as Record<Flag, boolean>
}

import type * as z from 'zod/mini'
import type { Permission } from './acts.ts'
import type { Action as AuditAction, Subject } from './rooms/rights.ts'

export type Schema = z.ZodMiniType
/** What an id in a path is an id of. */
export type { Subject }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a successful call leaves in the audit log; or why nothing, with what it leaves in some cases. */
export type Audited = AuditAction | { not: string; sometimes?: AuditAction }

/** Who may make a call, and what that leaves in the audit log. */
type Rule = Permission & { audit: Audited }

/** A rule by its name in the permission table, by which the audit log names refused calls. */
export type Row<Id extends string = string> = Rule & { id: Id }

/**
 * One call of the API: its schemas validate, type and document it on both sides. It has one row of the
 * permission table, or several, of which the handler asks for the one that applies, since that depends on
 * data (for example, whether the conversation is open or completed).
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  RowId extends string = string,
> {
  method: Method
  /** With `:name` for parameters. */
  path: `/api/${string}`
  summary: string
  rows: Readonly<Record<RowId, Row>>
  ids: Readonly<Record<string, Subject>>
  params?: Params
  query?: Query
  body?: Body
  /** The body of a successful response; without it, and without a file, 204 and no body. */
  reply?: Reply
  status?: 200 | 201
  /** Answers with a file instead. */
  sendsFile?: true
  /** The body is multipart/form-data with a file, which the handler reads as a stream. */
  takesFile?: true
  /** Not among the calls a minute that a person may make: a page shows what it answers by the dozen. */
  isUncounted?: true
  /** May be called by a person who must first choose a password or set up the second factor. */
  isEntry?: true
  /**
   * Asks for the password or a code, unless one was given within the last ten minutes; always, or when the
   * body has one of these fields.
   */
  isSensitive?: true | readonly string[]
}

/** The names of a path's parameters: 'id' of '/api/contacts/:id/block'. */
type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** '/api/contacts/{id}/block' of '/api/contacts/:id/block'. */
type Braced<Path extends string> = Path extends `${infer Start}:${infer Name}/${infer Rest}`
  ? `${Start}{${Name}}/${Braced<Rest>}`
  : Path extends `${infer Start}:${infer Name}`
    ? `${Start}{${Name}}`
    : Path

/** The same with any name, such as '/api/contacts/{known}/block'. */
type Form<Path extends string> = Path extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}{${string}}/${Form<Rest>}`
  : Path extends `${infer Start}:${string}`
    ? `${Start}{${string}}`
    : Path

/** What a row of several may be called: 'DELETE /api/users/{self}', 'GET /api/companies (picker)'. */
type RowName<M extends Method, Path extends string> = `${M} ${Form<Path>}${'' | ` (${string})`}`

type Ids<Path extends string> = [ParamOf<Path>] extends [never]
  ? { ids?: never }
  : { ids: Readonly<Record<ParamOf<Path>, Subject>> }

type Rules<RowId extends string> =
  | (Rule & { rows?: never })
  | {
      rows: Readonly<Record<RowId, Rule>>
      audit?: never
      act?: never
      needs?: never
      roles?: never
      isPublic?: never
    }

type Described<
  M extends Method,
  Path extends `/api/${string}`,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
> = Omit<Endpoint<Params, Query, Body, Reply>, 'method' | 'path' | 'rows' | 'ids' | 'isSensitive'> & {
  method: M
  path: Path
  isSensitive?: true | readonly (keyof z.output<Body> & string)[]
}

/**
 * Declares a call with everything that is known of it: who may make it, what it leaves in the audit log, and
 * what the ids in its path are ids of. By default its row is named by method and path.
 */
export function endpoint<
  const M extends Method,
  const Path extends `/api/${string}`,
  Params extends Schema = z.ZodMiniUndefined,
  Query extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
  Reply extends Schema = z.ZodMiniUndefined,
  const RowId extends RowName<M, Path> = `${M} ${Braced<Path>}`,
>(
  call: Described<M, Path, Params, Query, Body, Reply> & Ids<Path> & Rules<RowId>,
): Endpoint<Params, Query, Body, Reply, RowId> {
  const { ids = {}, rows, act, needs, roles, isPublic, audit, ...rest } = call
  const name = `${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`
  const rules = rows ?? { [name]: { act, needs, roles, isPublic, audit } }
  const named = Object.entries(rules).map(([id, rule]) => [id, { id, ...rule }])
  return { ...rest, ids, rows: Object.fromEntries(named) as Record<RowId, Row> }
}

/** Declares a row of something that is no call of the API, such as what is pushed to sockets. */
export const row = <const Id extends string>(declared: Row<Id>): Row<Id> => declared

import type * as z from 'zod/mini'

export type Schema = z.ZodMiniType
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One call of the API, written once for both sides of the wire: it validates, it types, it documents. `rows`
 * are the ids of the call's rows in permissions.json; a call with several rows is judged by its handler,
 * since the row depends on what it finds (an open or a completed conversation).
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  method: Method
  /** With `:name` for each parameter. */
  path: `/api/${string}`
  summary: string
  rows: readonly string[]
  params?: Params
  query?: Query
  body?: Body
  /** What a success answers; absent: 204 without a body. */
  reply?: Reply
  status?: 200 | 201
  /** The body is multipart/form-data with a file in it, which the handler reads as it comes. */
  takesFile?: true
}

/** Names the types of a call; costs nothing at run time. */
export function endpoint<
  Params extends Schema = z.ZodMiniUndefined,
  Query extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
  Reply extends Schema = z.ZodMiniUndefined,
>(
  call: Omit<Endpoint<Params, Query, Body, Reply>, 'rows'> & { rows?: readonly string[] },
): Endpoint<Params, Query, Body, Reply> {
  return { ...call, rows: call.rows ?? [`${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`] }
}

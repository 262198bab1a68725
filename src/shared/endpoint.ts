import type * as z from 'zod/mini'

export type Schema = z.ZodMiniType
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One call of the API: its schemas validate, type and document it on both sides. `rows` are the ids of the
 * call's rows in permissions.json. With several rows the handler checks the permission, since the row depends
 * on data (for example, whether the conversation is open or completed).
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  method: Method
  /** With `:name` for parameters. */
  path: `/api/${string}`
  summary: string
  rows: readonly string[]
  params?: Params
  query?: Query
  body?: Body
  /** The body of a successful response; without it, 204 and no body. */
  reply?: Reply
  status?: 200 | 201
  /** The body is multipart/form-data with a file, which the handler reads as a stream. */
  takesFile?: true
  /** May be called by a person who must first choose a password or set up the second factor. */
  isEntry?: true
  /** Asks for the password or a code, unless one was given within the last ten minutes. */
  isSensitive?: true
}

/** Infers the types of a call. By default the call has one row, named by method and path. */
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

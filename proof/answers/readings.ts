import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { allCalls as AllCalls, validValues as ValidValues } from '#server/testing/calls.ts'

/** A call that reads, as an earlier version declares it, about something that exists. */
export interface Reading {
  /** 'GET /api/contacts/:id' */
  call: string
  path: string
}

/** Where there is no row, the call is named in `left`. The queries need no parameter but `$1`, how many. */
const ids: Readonly<Record<string, string>> = {
  contact: 'select id from contacts order by md5(id::text) limit $1',
  company: 'select id from companies order by md5(id::text) limit $1',
  import: 'select id from contact_imports order by id limit $1',
  conversation: `(select id from conversations where status <> 'completed' order by md5(id::text) limit $1)
    union all (select id from conversations where status = 'completed' order by md5(id::text) limit $1)`,
  number: 'select id from evolution_api_config order by id limit $1',
  message: 'select id from messages order by md5(id::text) limit $1',
  file: 'select name as id from files where message_id is not null order by id limit $1',
  'profile picture': 'select name as id from files where user_id is not null order by id limit $1',
  user: 'select id from users order by id limit $1',
  backup: 'select id from maintenance_backups order by id limit $1',
}

/**
 * Every call that reads, of the version in a folder, with ids of its database and with queries that it
 * accepts.
 * @returns what is asked, and the calls about which nothing can be asked
 */
export async function readingsOf(
  folder: string,
  database: Database,
  { each, seed }: { each: number; seed: number },
): Promise<{ readings: Reading[]; left: string[] }> {
  const source = pathToFileURL(join(folder, 'src/server/testing/calls.ts')).href
  const { allCalls, validValues } = (await import(source)) as {
    allCalls: typeof AllCalls
    validValues: typeof ValidValues
  }
  const calls = (await allCalls()).filter(({ method }) => method === 'GET')
  const known = new Map<string, string[]>()
  for (const [kind, query] of Object.entries(ids)) known.set(kind, await valuesOf(database, query, [each]))
  const readings: Reading[] = []
  const left: string[] = []
  for (const call of calls.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const paths = await pathsOf(call, known, database)
    if (paths.length === 0) left.push(`GET ${call.path}`)
    const queries = [
      '',
      ...(call.query ? randomQueries(validValues(call.query, seed, each, ['http://127.0.0.1:1/'])) : []),
    ]
    const count = Math.max(paths.length, paths.length > 0 ? queries.length : 0)
    for (let n = 0; n < count; n++)
      readings.push({
        call: `GET ${call.path}`,
        path: `${paths[n % paths.length]}${queries[n % queries.length]}`,
      })
  }
  return { readings, left }
}

async function valuesOf(database: Database, query: string, values: unknown[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: unknown }>(query, values)
  return rows.map(({ id }) => String(id))
}

/** The path with each id that is known of the kind; messages with their conversation. */
async function pathsOf(call: Endpoint, known: Map<string, string[]>, database: Database): Promise<string[]> {
  const params = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const kinds = params.map((name) => call.ids[name] ?? '')
  const fill = (values: readonly string[]) => {
    let n = 0
    return call.path.replaceAll(/:\w+/g, () => encodeURIComponent(values[n++] ?? ''))
  }
  if (kinds.join() === 'conversation,message') {
    const { rows } = await database.pool.query<{ id: number; conversation_id: number }>(
      'select id, conversation_id from messages where id = any($1::int[])',
      [known.get('message')],
    )
    return rows.map(({ id, conversation_id: parent }) => fill([String(parent), String(id)]))
  }
  return params.length === 0 ? [call.path] : (known.get(kinds[0] ?? '') ?? []).map((id) => fill([id]))
}

const randomQueries = (values: readonly unknown[]) =>
  values.map((value) => `?${new URLSearchParams(value as Record<string, string>).toString()}`)

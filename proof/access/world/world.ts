import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Pool } from 'undici'
import type { Database } from '#server/platform/database/db.ts'
import { startTwoInstances, type TwoInstances } from '../../support/two-instances.ts'
import { changesUpTo, noteChanges } from './changes.ts'
import { type Caller, makeAccounts, makeCallers, openSessions } from './people.ts'
import type { Principal } from '../law/principals.ts'

/** A request as it goes over the wire. */
export interface Sent {
  method: string
  path: string
  token?: string | undefined
  /** JSON, or a form that is encoded already. */
  body?: unknown
  form?: { type: string; bytes: Buffer } | undefined
}

export interface Answer {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

/** Two running instances with the principals, and what watches them. */
export interface World {
  at: TwoInstances
  database: Database
  callers: readonly Caller[]
  /** An operator of whom no principal is anything, and who holds what is somebody else's. */
  colleague: Caller
  /** Sends by one of the two instances. */
  send(instance: number, request: Sent): Promise<Answer>
  /** How many calls the gateway has got so far. */
  gatewayCalls(): number
  /** A number that was not given before. */
  next(): number
}

const never = 86_400_000

/** Starts two instances in which nothing happens by itself, and every change of a row is noted. */
export async function startWorld(
  principals: readonly Principal[],
  defer: (close: () => unknown) => void,
): Promise<World> {
  const at = await startTwoInstances({
    jobTimes: { queueMs: never, inactivityMs: never, scheduledMs: never },
    sweepEveryMs: 'never',
    avatarTimes: 'never',
    backgroundJobs: 'never',
    notices: 'never',
    // They are computed some time after the call that brings a target, beside a later one.
    slaClocks: 'never',
    // What waits here is held far ahead.
    clockCorrectionMs: 'never',
    // What a restarted number posts comes while its call is still waited for, not beside a later one.
    simulator: { restartMs: 1 },
  })
  defer(at.close)
  const { database } = at
  await holdWork(database)
  // They would be sent after the answer.
  await database.execute(
    sql`update system_settings set values = values || '{"readReceiptsEnabled": false}'::jsonb`,
  )
  await noteChanges(database)
  const callers = await makeCallers(database, principals)
  const [userId = 0] = await makeAccounts(database, [{ username: 'colega', role: 'operator' }])
  const [token] = await openSessions(database, [userId])
  const colleague: Caller = {
    principal: { name: 'a colleague', role: 'operator', record: null },
    userId,
    username: 'colega',
    token,
  }
  let given = 0
  return {
    at,
    database,
    callers,
    colleague,
    send: (instance, request) => send(at.pools[instance % at.pools.length] as Pool, request),
    gatewayCalls: countCalls(at.simulator.url, defer),
    next: () => ++given,
  }
}

/**
 * What is to be sent stays in the outbox, and periodic tasks are somebody else's, so that the effects of a
 * call do not mix with others.
 */
async function holdWork(database: Database): Promise<void> {
  for (const [table, column] of [
    ['outbox', 'not_before'],
    ['jobs', 'lease_until'],
  ] as const) {
    const name = sql.raw(`hold_${table}`)
    await database.execute(sql`
      create function ${name}() returns trigger language plpgsql as
      $$ begin new.${sql.raw(column)} := 'infinity'; return new; end $$`)
    await database.execute(sql`
      create trigger ${name} before insert or update on ${sql.raw(table)}
        for each row execute function ${name}()`)
    await database.execute(sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${sql.raw(column)}`)
  }
}

/**
 * Waits until what earlier calls have set going is done: no row has changed, and no call was made, for a
 * while.
 */
export async function untilCalm({ database, gatewayCalls }: World): Promise<void> {
  const state = async () => `${await changesUpTo(database)} ${gatewayCalls()}`
  for (let last = await state(), calm = 0; calm < 3;) {
    await sleep(20)
    const now = await state()
    calm = now === last ? calm + 1 : 0
    last = now
  }
}

/** Counts the requests of this process to the gateway. */
function countCalls(url: string, defer: (close: () => unknown) => void): () => number {
  const created = channel('undici:request:create')
  let count = 0
  const note = (message: unknown) => {
    const { request } = message as { request: { origin?: unknown } }
    if (String(request.origin) === url) count++
  }
  created.subscribe(note)
  defer(() => created.unsubscribe(note))
  return () => count
}

async function send(pool: Pool, { method, path, token, body, form }: Sent): Promise<Answer> {
  const answer = await pool.request({
    method,
    path,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': form.type }),
    },
    ...(form ? { body: form.bytes } : body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers }
}

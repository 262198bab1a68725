import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { formOf } from '../access/recipes/targets.ts'
import { type Change, changeLine, changesSince, isByTheWay, changesUpTo } from '../access/world/changes.ts'
import { picture } from '../access/world/messages.ts'
import type { World } from '../access/world/world.ts'
import { makeVictim, take, type Taking, takings, type Victim } from './person.ts'

/** A request that is under way for longer than rights that were taken may still count. */
interface Waiting {
  what: string
  method: string
  path(victim: Victim): string
  body?: Record<string, unknown>
  form?: (victim: Victim) => ReturnType<typeof formOf>
  /** What holds it up: the rest of its body, or a lock that somebody else has. */
  by: 'body' | 'lock'
  /** Needs none of the flags that are taken, and is lost only with the role or the account. */
  isByRole?: true
}

const base = ({ talk }: Victim) => `/api/conversations/${talk.id}`
const text = { content: 'tarde demais' }

const waitings: readonly Waiting[] = [
  {
    what: 'a message that comes slowly',
    method: 'POST',
    path: (v) => `${base(v)}/messages`,
    body: text,
    by: 'body',
  },
  {
    what: 'a file that comes slowly',
    method: 'POST',
    path: () => '/api/media/upload',
    form: ({ talk }) => formOf({ conversationId: String(talk.id) }, picture),
    by: 'body',
  },
  {
    what: 'a file to a contact that comes slowly',
    method: 'POST',
    path: () => '/api/media/upload',
    form: ({ talk }) => formOf({ contactId: String(talk.contactId) }, picture),
    by: 'body',
  },
  {
    what: 'a file of a setting that comes slowly',
    method: 'POST',
    path: () => '/api/quick-responses/file',
    form: () => formOf({}, picture),
    by: 'body',
    isByRole: true,
  },
  { what: 'a message', method: 'POST', path: (v) => `${base(v)}/messages`, body: text, by: 'lock' },
  {
    what: 'a message to a contact',
    method: 'POST',
    path: ({ talk }) => `/api/contacts/${talk.contactId}/send-message`,
    body: text,
    by: 'lock',
  },
  {
    what: 'a priority',
    method: 'PATCH',
    path: (v) => `${base(v)}/priority`,
    body: { priority: 'high' },
    by: 'lock',
  },
  {
    what: 'giving it back',
    method: 'PATCH',
    path: (v) => `${base(v)}/assign-operator`,
    body: { operatorId: null },
    by: 'lock',
  },
  {
    what: 'a change of the contact',
    method: 'PUT',
    path: ({ talk }) => `/api/contacts/${talk.contactId}`,
    body: { name: 'Tarde demais' },
    by: 'lock',
    isByRole: true,
  },
  {
    what: 'a setting',
    method: 'PATCH',
    path: () => '/api/system-settings',
    body: { inactivityMessage: 'Tarde demais' },
    by: 'lock',
    isByRole: true,
  },
]

const heldMs = 2200

export interface Late {
  tried: number
  faults: string[]
}

/**
 * Takes the rights of people while a request of each waits, and lets them go on more than two seconds
 * later.
 */
export async function letWait(world: World, taking: Taking, late: Late): Promise<void> {
  const trials: { waiting: Waiting; victim: Victim }[] = []
  for (const waiting of waitings)
    if (takings[taking].isOver || !waiting.isByRole) trials.push({ waiting, victim: await makeVictim(world) })
  const place = await changesUpTo(world.database)
  const release = await hold(
    world,
    trials.filter(({ waiting }) => waiting.by === 'lock').map(({ victim }) => victim),
  )
  const answering = trials.map(({ waiting, victim }, n) => sendSlowly(world, waiting, victim, n))
  try {
    await sleep(300)
    for (const [n, { victim }] of trials.entries()) await take(world, taking, victim.id, n + 1)
    await sleep(heldMs)
  } finally {
    await release()
  }
  const statuses = await Promise.all(answering)
  const changes = await changesSince(world.database, place)
  for (const [n, { waiting, victim }] of trials.entries()) {
    late.tried++
    const status = statuses[n] ?? 0
    const done = changes.filter((change) => isBy(change, victim)).map((change) => changeLine(change))
    if ([401, 403, 404].includes(status) && done.length === 0) continue
    late.faults.push(`${taking}, ${waiting.what}: ${status}; ${done.join('; ')}`)
  }
}

/** Whether a person has done something; that he was refused may be recorded. */
function isBy(change: Change, { id }: Victim): boolean {
  const { relation, after } = change
  if (isByTheWay(change)) return false
  return after?.['sender_id'] === id || (relation === 'audit_logs' && after?.['user_id'] === id)
}

/** Locks what the requests need. @returns what gives it back */
async function hold(world: World, victims: readonly Victim[]): Promise<() => Promise<void>> {
  const client = await world.database.pool.connect()
  await client.query('begin')
  for (const [table, ids] of [
    ['contacts', victims.map(({ talk }) => talk.contactId)],
    ['conversations', victims.map(({ talk }) => talk.id)],
  ] as const)
    await client.query(`select 1 from ${table} where id = any($1) order by id for update`, [ids])
  await client.query(`select pg_advisory_xact_lock(hashtextextended('system_settings', 0))`)
  return async () => {
    await client.query('commit')
    client.release()
  }
}

/** Sends half of the body at once and the other half after the time, or all of it. */
function sendSlowly(world: World, waiting: Waiting, victim: Victim, instance: number): Promise<number> {
  const form = waiting.form?.(victim)
  const bytes = form?.bytes ?? Buffer.from(JSON.stringify(waiting.body))
  const { hostname, port } = new URL(world.at.apps[instance % 2]?.url ?? '')
  return new Promise((resolve, reject) => {
    const going = request({
      hostname,
      port,
      method: waiting.method,
      path: waiting.path(victim),
      headers: {
        authorization: `Bearer ${victim.token}`,
        'content-type': form?.type ?? 'application/json',
        'content-length': bytes.length,
      },
    })
    going.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    going.on('error', reject)
    const half = waiting.by === 'body' ? Math.floor(bytes.length / 2) : bytes.length
    going.write(bytes.subarray(0, half))
    if (waiting.by === 'lock') going.end()
    else setTimeout(() => going.end(bytes.subarray(half)), 300 + heldMs + 300)
  })
}

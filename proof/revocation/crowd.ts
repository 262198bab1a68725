import { setTimeout as sleep } from 'node:timers/promises'
import { changesSince, changesUpTo } from '../access/world/changes.ts'
import { type Ear, listenAll } from '../access/world/sockets.ts'
import type { World } from '../access/world/world.ts'
import { makeVictim, take, type Taking, takings, type Victim } from './person.ts'

/** What was found in a round. */
export interface Round {
  requests: number
  frames: number
  /** Not answered as by old or by new rights. */
  neither: string[]
  /** By old rights more than a second later. */
  late: string[]
  /** Answered in one way, and done in the other. */
  torn: string[]
  sockets: string[]
}

const together = 50
const graceMs = 1000

interface Call {
  method: string
  path: string
  body?: Record<string, unknown>
  isWrite: boolean
  /** In the row that a write leaves, if it is one of its own. */
  key?: string
}

const callOf = ({ talk }: Victim, n: number): Call => {
  const base = `/api/conversations/${talk.id}`
  const key = `texto ${n} da corrida`
  const calls: Call[] = [
    { method: 'GET', path: base, isWrite: false },
    { method: 'GET', path: `${base}/messages`, isWrite: false },
    { method: 'GET', path: '/api/conversations', isWrite: false },
    { method: 'PATCH', path: `${base}/priority`, body: { priority: 'high' }, isWrite: true },
    { method: 'POST', path: `${base}/messages`, body: { content: key }, isWrite: true, key },
    { method: 'POST', path: `${base}/messages`, body: { content: key }, isWrite: true, key },
  ]
  return calls[n % calls.length] as Call
}

interface Made {
  call: Call
  status: number
  startedMs: number
  endedMs: number
}

/** Fifty requests of a person are always under way, at both instances, while his rights are taken. */
export async function playRound(world: World, taking: Taking, afterMs: number): Promise<Round> {
  const victim = await makeVictim(world)
  const { isOver, seesLess } = takings[taking]
  const principal = { name: taking, role: 'supervisor' as const, record: null }
  const caller = { principal, userId: victim.id, username: '', token: victim.token }
  const ears = await listenAll(world, [caller, caller])
  const heard = ears.map((ear) => listenFor(ear))
  const place = await changesUpTo(world.database)
  const made: Made[] = []
  let isRunning = true
  let n = 0
  const asking = Array.from({ length: together }, async () => {
    while (isRunning) {
      const number = n++
      const call = callOf(victim, number)
      const startedMs = performance.now()
      const { status } = await world.send(number, { ...call, token: victim.token })
      made.push({ call, status, startedMs, endedMs: performance.now() })
    }
  })
  // What a colleague does meanwhile is pushed to whoever may see it.
  const talking = (async () => {
    while (isRunning) {
      const path = `/api/conversations/${victim.talk.id}/priority`
      await world.send(0, { method: 'PATCH', path, body: { priority: 'low' }, token: world.colleague.token })
      await sleep(20)
    }
  })()
  await sleep(afterMs)
  const taken = await take(world, taking, victim.id, n)
  await sleep(graceMs + 700)
  isRunning = false
  await Promise.all([...asking, talking])
  const round: Round = { requests: made.length, frames: 0, neither: [], late: [], torn: [], sockets: [] }
  const lost = (call: Call) => call.isWrite || seesLess
  const refusals = isOver ? [401] : [403, 404]
  for (const { call, status, startedMs, endedMs } of made) {
    const what = `${taking}: ${call.method} ${call.path}, ${status}`
    const isOld = status < 300
    if (!isOld && !(lost(call) && refusals.includes(status))) round.neither.push(what)
    if (isOld && lost(call) && (startedMs > taken.atMs + graceMs || endedMs > taken.atMs + graceMs))
      round.late.push(`${what}, ${Math.round(endedMs - taken.atMs)} ms after`)
    if (!isOld && endedMs < taken.atMs - graceMs) round.neither.push(`${what}, before anything was taken`)
  }
  checkWritten(round, await changesSince(world.database, place), { made, victim, taking, taken })
  heard.forEach((frames, side) => {
    round.frames += frames.length
    const late = frames.filter((atMs) => seesLess && atMs > taken.atMs + graceMs)
    if (late.length > 0)
      round.sockets.push(`${taking}: socket ${side + 1} got ${late.length} frames too late`)
    const { closed } = ears[side] as Ear
    if (isOver ? closed !== 4401 : closed !== undefined)
      round.sockets.push(`${taking}: socket ${side + 1} closed with ${closed}`)
  })
  for (const ear of ears) ear.close()
  return round
}

/** Every message that was confirmed is there once, no refused one is, and none is written too late. */
function checkWritten(
  round: Round,
  changes: Awaited<ReturnType<typeof changesSince>>,
  {
    made,
    victim,
    taking,
    taken,
  }: { made: Made[]; victim: Victim; taking: Taking; taken: { databaseMs: number } },
): void {
  const messages = changes.filter(
    ({ relation, op, after }) =>
      relation === 'messages' &&
      op === 'INSERT' &&
      after?.['sender_id'] === victim.id &&
      after['delivery_status'],
  )
  const written = new Map<unknown, number>()
  for (const { after, atMs } of messages) {
    written.set(after?.['content'], (written.get(after?.['content']) ?? 0) + 1)
    if (atMs > taken.databaseMs + graceMs)
      round.late.push(`${taking}: written ${Math.round(atMs - taken.databaseMs)} ms after`)
  }
  for (const { call, status } of made)
    if (call.key !== undefined && (written.get(call.key) ?? 0) !== (status < 300 ? 1 : 0))
      round.torn.push(
        `${taking}: '${call.key}' answered ${status}, written ${written.get(call.key) ?? 0} times`,
      )
}

/** The times at which frames about conversations came. */
function listenFor({ frames }: Ear): number[] {
  const times: number[] = []
  const passing = new Set(['hello', 'presence', 'viewing', 'permissions_changed', 'account_changed'])
  const push = frames.push.bind(frames)
  frames.push = (...some) => {
    for (const { type } of some) if (!passing.has(type)) times.push(performance.now())
    return push(...some)
  }
  return times
}

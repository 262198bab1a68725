import { sql } from 'drizzle-orm'
import { findShared } from '#server/notices/conditions.ts'
import { recordConditions } from '#server/notices/record-conditions.ts'
import { rows } from '#server/platform/database/db.ts'
import { distribute, sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { type Ears, type Judge, settle } from './judge.ts'
import {
  hoursOf,
  isLeadOf,
  isOfTheirs,
  isOpenAt,
  type Model,
  placeOf,
  type Talk,
  unserved,
  waiting,
  type Worker,
} from './model.ts'
import { call, pass, untilSent, type World } from './world.ts'

// What the product does by itself: places are told, conversations distributed, and troubles found.

const capacity = 3

/** Tells places, and notes whom it should have told. */
async function tellPlaces(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, clock, at } = world
  await untilSent(world)
  const nowMs = (await clock.now()).getTime()
  const due = new Set<number>()
  for (const talk of waiting(model)) {
    if (!isOpenAt(hoursOf(model, talk.sectorId), nowMs)) continue
    const place = placeOf(model, talk)
    const { told } = talk
    // Whoever was told nothing is told from the next place on.
    if (!told) talk.told = { position: place, atMs: nowMs }
    else if (nowMs - told.atMs > 61_000 && place < told.position)
      if (place <= 10 || told.position - place >= 5) due.add(talk.id)
  }
  await sendPositions(at.database)
  const heard = await ears.listen(world, judge)
  const told = new Set(heard.map(({ conversationId }) => conversationId))
  for (const id of due) judge.check('nearer', told.has(id), () => `${id} has come nearer, and is not told`)
}

const isFree = (loads: ReadonlyMap<number, number>, { id }: Worker) => (loads.get(id) ?? 0) < capacity

/** Distributes, and judges who got what. */
async function distributeAll(world: World, judge: Judge, loads: Map<number, number>): Promise<void> {
  const { model, at } = world
  const before = waiting(model)
  await distribute(at.database)
  const given = await takenOf(world, before)
  for (const talk of before) {
    const holderId = given.get(talk.id)
    if (holderId === undefined) continue
    const worker = model.workers.get(holderId)
    judge.check(
      'oldest',
      worker?.role === 'operator' &&
        worker.isPresent &&
        !worker.isBlocked &&
        isOfTheirs(model, worker, talk) &&
        isFree(loads, worker),
      () => `${talk.id} is given to ${holderId}, who takes nothing of sector ${talk.sectorId}, or is full`,
    )
    loads.set(holderId, (loads.get(holderId) ?? 0) + 1)
    talk.holderId = holderId
  }
  const left = before.filter(({ id }) => !given.has(id))
  judge.check(
    'oldest',
    left.every((talk) => !isPassedOver(before, given, talk)),
    () => 'somebody older waits on',
  )
  if (!model.isDistributing) return
  for (const talk of left)
    judge.check(
      'oldest',
      ![...model.workers.values()].some(
        (worker) =>
          worker.role === 'operator' &&
          worker.isPresent &&
          !worker.isBlocked &&
          isOfTheirs(model, worker, talk) &&
          isFree(loads, worker),
      ),
      () => `${talk.id} of sector ${talk.sectorId} waits while somebody of it is free`,
    )
}

/** Whether somebody who began later in the same queue, at the same number, was given away first. */
const isPassedOver = (before: readonly Talk[], given: ReadonlyMap<number, number>, talk: Talk) =>
  before
    .slice(before.indexOf(talk) + 1)
    .some(({ id, sectorId, number }) => given.has(id) && sectorId === talk.sectorId && number === talk.number)

async function takenOf({ at }: World, before: readonly Talk[]): Promise<Map<number, number>> {
  const found = await rows<{ id: number; holderId: number }>(
    at.database,
    sql`select id, assigned_user_id as "holderId" from conversations
         where id = any(${sql.param(before.map(({ id }) => id))}::int[]) and assigned_user_id is not null`,
  )
  return new Map(found.map(({ id, holderId }) => [id, holderId]))
}

interface Shown {
  fact: { kind: string; sectorId?: number; count?: number }
}

/** Looks for troubles for more than a minute, and judges who is told of queues that nobody serves. */
async function tellLeads(world: World, judge: Judge): Promise<void> {
  const { model, at } = world
  const look = async () => recordConditions(at.database, await findShared(at.database), 'prova')
  await look()
  await pass(world, 61_000)
  await look()
  const expected = unserved(model)
  await judgeReader(world, judge, 0, expected)
  for (const worker of model.workers.values()) {
    if (worker.isBlocked) continue
    const theirs = [...expected].filter(
      ([sectorId]) => worker.role === 'supervisor' || isLeadOf(model, worker, sectorId),
    )
    if (worker.role === 'supervisor' || isAnyLead(model, worker))
      await judgeReader(world, judge, worker.id, new Map(theirs))
  }
}

const isAnyLead = (model: Model, { id }: Worker) =>
  [...model.sectors.values()].some(({ people, isDeleted }) => !isDeleted && people.get(id) === true)

async function judgeReader(
  world: World,
  judge: Judge,
  who: number,
  expected: ReadonlyMap<number, number>,
): Promise<void> {
  const { model } = world
  const { status, body } = await call<Shown[]>(world, who, 'GET', '/api/notices')
  const shown = status === 200 ? body.filter(({ fact }) => fact.kind === 'queue_unserved') : []
  const words = (facts: Iterable<readonly [number | undefined, number | undefined]>) =>
    [...facts]
      .map(([sectorId, count]) => `${sectorId}: ${count}`)
      .toSorted()
      .join(', ')
  const [told, wanted] = [words(shown.map(({ fact }) => [fact.sectorId, fact.count])), words(expected)]
  const isToLead = model.workers.get(who)?.role === 'operator'
  // A lead who is told nothing since there is nothing shows little.
  if (isToLead && wanted === '' && told === '') return
  judge.check(
    isToLead ? 'leads' : 'unserved',
    status === 200 && told === wanted,
    () => `${who} is told (${status}) of ${told || 'nothing'}; unserved are ${wanted || 'none'}`,
  )
}

/** A round of all of it. */
export async function round(
  world: World,
  judge: Judge,
  ears: Ears,
  loads: () => Promise<Map<number, number>>,
): Promise<void> {
  await tellPlaces(world, judge, ears)
  await distributeAll(world, judge, await loads())
  await settle(world, judge)
  await ears.listen(world, judge)
  await tellLeads(world, judge)
}

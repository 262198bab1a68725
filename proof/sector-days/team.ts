import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { pick } from './clients.ts'
import { type Ears, type Judge, judgeShown, settle } from './judge.ts'
import {
  living,
  mayTake,
  offered,
  sectorsOf,
  sectorWith,
  seesWhole,
  type Talk,
  waiting,
  type Worker,
} from './model.ts'
import { call, type World } from './world.ts'

// What people at work do with conversations.

const atWork = ({ model }: World): Worker[] =>
  [...model.workers.values()].filter(({ isBlocked, isPresent }) => !isBlocked && isPresent)
const held = ({ model }: World): Talk[] =>
  [...model.talks.values()].filter(({ holderId }) => holderId !== null)
const requeued = (talk: Talk) => Object.assign(talk, { holderId: null, told: undefined })

const inWords = (talk: Talk | undefined) =>
  talk ? `${talk.id} of sector ${talk.sectorId} at ${talk.number}, from ${talk.startedMs}` : 'nothing'

interface Taken {
  conversation?: { id: number }
}

/** Somebody takes the next one, over all of their queues or of one of their sectors. */
export async function takeNext(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const worker = pick(random, atWork(world))
  if (!worker) return
  const sector = random() < 0.4 ? pick(random, sectorsOf(model, worker)) : undefined
  judge.act = `${worker.id} takes the next${sector ? ` of ${sector.name}` : ''}`
  const [oldest] = waiting(model).filter(
    (talk) => mayTake(model, worker, talk) && (!sector || talk.sectorId === sector.id),
  )
  const path = '/api/conversations/take-next'
  const { status, body } = await call<Taken>(
    world,
    worker.id,
    'POST',
    path,
    sector && { sectorId: sector.id },
  )
  judge.check(
    'oldest',
    oldest ? status === 200 && body.conversation?.id === oldest.id : status === 404,
    () =>
      `gets ${status} ${inWords(model.talks.get(body?.conversation?.id ?? 0))}; ` +
      `the oldest is ${inWords(oldest)}`,
  )
  const taken = model.talks.get(body?.conversation?.id ?? 0)
  if (taken) taken.holderId = worker.id
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** Everybody at work takes the next one at once: no two get the same, and nobody older is left to them. */
export async function rush(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model } = world
  judge.act = 'all take the next one at once'
  const workers = atWork(world)
  const answers = await Promise.all(
    workers.map(async (worker) => ({
      worker,
      ...(await call<Taken>(world, worker.id, 'POST', '/api/conversations/take-next')),
    })),
  )
  const taken = answers.flatMap(({ worker, body }) => {
    const talk = model.talks.get(body?.conversation?.id ?? 0)
    return talk ? [{ worker, talk }] : []
  })
  judge.check(
    'oldest',
    new Set(taken.map(({ talk }) => talk.id)).size === taken.length,
    () => 'two people have got the same conversation',
  )
  for (const { worker, talk } of taken) talk.holderId = worker.id
  for (const { worker, talk } of taken) {
    const older = waiting(model).find((one) => mayTake(model, worker, one) && one.startedMs < talk.startedMs)
    judge.check('oldest', !older, () => `${worker.id} got ${inWords(talk)}, and older is ${inWords(older)}`)
  }
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** Does something to a conversation that somebody has, and expects it done. */
async function act(
  world: World,
  judge: Judge,
  who: number,
  [method, path, body]: readonly [string, string, unknown],
): Promise<boolean> {
  const { status, body: answer } = await call(world, who, method, path, body)
  return judge.check('acts', status < 300, () => `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
}

const pathOf = ({ id }: Talk, what: string) => `/api/conversations/${id}/${what}`

/** Who may pass on a conversation: its holder, or whoever sees all of one that waits. */
function giverOf({ model, random }: World, talk: Talk): Worker | undefined {
  if (talk.holderId !== null) {
    const holder = model.workers.get(talk.holderId)
    return holder && seesWhole(model, holder, talk) ? holder : undefined
  }
  return pick(
    random,
    [...model.workers.values()].filter((worker) => !worker.isBlocked && seesWhole(model, worker, talk)),
  )
}

export async function transferToSector(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const talk = pick(random, [...model.talks.values()])
  const giver = talk && giverOf(world, talk)
  const sector =
    talk &&
    pick(
      random,
      offered(model, talk.number).filter(({ id }) => talk.holderId !== null || id !== talk.sectorId),
    )
  if (!talk || !giver || !sector) return
  judge.act = `${giver.id} transfers ${talk.id} to ${sector.name}`
  const note = random() < 0.5 ? 'olhar o pedido' : ''
  const body = { sectorId: sector.id, note }
  if (await act(world, judge, giver.id, ['POST', pathOf(talk, 'transfer-to-sector'), body]))
    Object.assign(requeued(talk), { sectorId: sector.id })
  await settle(world, judge)
  await ears.listen(world, judge, { id: talk.id, name: sector.name })
}

export async function transferToPerson(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const talk = pick(random, held(world))
  const giver = talk && giverOf(world, talk)
  const receiver =
    talk &&
    pick(
      random,
      [...model.workers.values()].filter(
        ({ id, isBlocked, numbers }) =>
          !isBlocked && id !== talk.holderId && (numbers?.includes(talk.number) ?? true),
      ),
    )
  if (!talk || !giver || !receiver) return
  const own = sectorsOf(model, receiver).filter((sector) => offered(model, talk.number).includes(sector))
  const wanted = random() < 0.4 ? pick(random, own) : undefined
  judge.act = `${giver.id} transfers ${talk.id} to ${receiver.id}${wanted ? ` in ${wanted.name}` : ''}`
  const body = { newOperatorId: receiver.id, ...(wanted && { sectorId: wanted.id }) }
  const sectorId = wanted?.id ?? sectorWith(model, talk, receiver)
  if (await act(world, judge, giver.id, ['POST', pathOf(talk, 'transfer'), body]))
    Object.assign(talk, { holderId: receiver.id, sectorId })
  await settle(world, judge)
  await ears.listen(world, judge, { id: talk.id, name: model.sectors.get(sectorId ?? 0)?.name ?? '' })
}

/** Says of which sector a conversation is; one that waits does so in another queue then. */
export async function setSector(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const talk = pick(random, [...model.talks.values()])
  const giver = talk && giverOf(world, talk)
  const sector = talk && pick(random, [...offered(model, talk.number), undefined])
  const sectorId = sector?.id ?? null
  if (!talk || !giver || sectorId === talk.sectorId) return
  judge.act = `${giver.id} puts ${talk.id} into ${sector?.name ?? 'no sector'}`
  if (await act(world, judge, giver.id, ['PATCH', pathOf(talk, 'sector'), { sectorId }]))
    Object.assign(talk, { sectorId, ...(talk.holderId === null && { told: undefined }) })
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** Notes, replies, returns, finalizes: what the holder of a conversation does. */
export async function attend(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, clock } = world
  const talk = pick(random, held(world))
  const holder = talk && model.workers.get(talk.holderId ?? 0)
  if (!talk || !holder || holder.isBlocked || !seesWhole(model, holder, talk)) return
  const dice = random()
  const what = dice < 0.15 ? 'note' : dice < 0.45 ? 'reply' : dice < 0.6 ? 'return' : 'finalize'
  judge.act = `${holder.id} does ${what} of ${talk.id}`
  if (what === 'note')
    await act(world, judge, holder.id, ['POST', pathOf(talk, 'notes'), { content: 'visto' }])
  if (what === 'reply')
    await act(world, judge, holder.id, ['POST', pathOf(talk, 'messages'), { content: 'oi' }])
  if (
    what === 'return' &&
    (await act(world, judge, holder.id, ['PATCH', pathOf(talk, 'assign-operator'), { operatorId: null }]))
  )
    requeued(talk)
  if (what === 'finalize' && (await act(world, judge, holder.id, ['POST', pathOf(talk, 'finalize'), {}]))) {
    model.talks.delete(talk.id)
    const client = model.clients[talk.client]
    client?.past.set(String(talk.id), { ...talk, endedMs: (await clock.now()).getTime() })
  }
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** How many clients wait for an answer of each worker. */
export async function loadsOf({ at: { database } }: World): Promise<Map<number, number>> {
  const found = await rows<{ id: number; n: number }>(
    database,
    sql`select assigned_user_id as id, count(*)::int as n from conversations
         where status <> 'completed' and waiting_for = 'operator' and assigned_user_id is not null
         group by 1`,
  )
  return new Map(found.map(({ id, n }) => [id, n]))
}

export async function look(world: World, judge: Judge): Promise<void> {
  const worker = pick(world.random, atWork(world))
  judge.act = `${worker?.id} looks at the list`
  if (worker) await judgeShown(world, judge, worker.id)
}

export const requeueAllOf = ({ model }: World, isTheirs: (talk: Talk) => boolean): void => {
  for (const talk of model.talks.values()) if (talk.holderId !== null && isTheirs(talk)) requeued(talk)
}

export const anySector = ({ model, random }: World) => pick(random, living(model))

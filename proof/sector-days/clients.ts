import { type Ears, type Judge, type Opened, settle } from './judge.ts'
import {
  asked,
  type Choosing,
  type Client,
  isAsking,
  isOpenAt,
  type Model,
  type Numbers,
  offered,
  sectorOfNew,
} from './model.ts'
import { receive, untilSent, type World } from './world.ts'

// What clients do: they write, choose from the menu, and write again.

export const pick = <Item>(random: () => number, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)]

const isTalking = (model: Model, { index }: Client, number: Numbers) =>
  [...model.talks.values()].some((talk) => talk.client === index && talk.number === number)

let written = 0

/** A client writes to a number, as a new conversation, the first word before a menu, or one word more. */
export async function arrive(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, clock } = world
  const number: Numbers = random() < 0.6 ? 0 : 1
  const client = pick(
    random,
    model.clients.filter(({ choosing }) => !choosing.has(number)),
  )
  if (!client) return
  const nowMs = (await clock.now()).getTime()
  const text = `preciso de ajuda ${++written}`
  judge.act = `${client.name} writes to number ${number} at ${new Date(nowMs).toISOString()}`
  if (isTalking(model, client, number)) {
    await receive(world, client, number, text)
    await settle(world, judge)
    await ears.listen(world, judge)
    return
  }
  const sectorId = sectorOfNew(model, client, number, { nowMs })
  if (isAsking(model, number, nowMs)) {
    const menu = offered(model, number)
    await receive(world, client, number, text)
    // With fewer than two there is nothing to choose, and the question is whether to be attended.
    const choosing: Choosing = { menu: menu.length < 2 ? [] : menu.slice(0, 9).map(({ id }) => id), sectorId }
    client.choosing.set(number, choosing)
    client.past.set(asked(number), { startedMs: nowMs, sectorId, endedMs: nowMs })
    await settle(world, judge)
    const questions = (await ears.listen(world, judge)).filter((told) => told.text === 'preAttendanceMessage')
    const lines = menu.map(({ name }, n) => `${n + 1} - ${name}`)
    judge.check(
      'acts',
      questions.length === 1 &&
        (menu.length < 2 || lines.every((line) => questions[0]?.content.includes(line))),
      () => `is asked ${JSON.stringify(questions)}; offered are ${lines.join(', ')}`,
    )
    return
  }
  await receive(world, client, number, text)
  await begin(world, judge, ears, { client, number, sectorId })
}

async function begin(world: World, judge: Judge, ears: Ears, opened: Opened): Promise<void> {
  const begun = await settle(world, judge, [opened])
  judge.check('acts', begun.length === 1, () => `${begun.length} conversations have begun`)
  await ears.listen(world, judge)
}

/** A client who was sent a menu answers it, by figure or by name; some end it, some say something else. */
export async function choose(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, clock } = world
  const nowMs = (await clock.now()).getTime()
  if (!model.isMenuOn || !isOpenAt(model.hours, nowMs)) return
  const waitingFor = model.clients.flatMap((client) =>
    [...client.choosing].map(([number, choosing]) => ({ client, number, choosing })),
  )
  const one = pick(random, waitingFor)
  if (!one) return
  const { client, number, choosing } = one
  // Nobody answers what they have not got.
  await untilSent(world)
  const dice = random()
  if (choosing.menu.length === 0) {
    judge.act = `${client.name} says 1 at number ${number}`
    await receive(world, client, number, '1')
    return begin(world, judge, ears, { client, number, sectorId: choosing.sectorId })
  }
  if (dice < 0.1) {
    judge.act = `${client.name} cancels at number ${number}`
    await receive(world, client, number, '0')
    client.choosing.delete(number)
    const cancelled = client.past.get(asked(number))
    client.past.delete(asked(number))
    if (cancelled) client.past.set(`cancelled at ${nowMs}`, { ...cancelled, endedMs: nowMs })
    await settle(world, judge)
    await ears.listen(world, judge)
    return
  }
  const at = Math.floor(random() * choosing.menu.length)
  const chosenId = choosing.menu[at] ?? 0
  const name = model.sectors.get(chosenId)?.name ?? ''
  const said = dice < 0.6 ? String(at + 1) : name
  judge.act = `${client.name} says ${said} to ${choosing.menu.join(', ')} at number ${number}`
  await receive(world, client, number, said)
  const isOffered = offered(model, number).some(({ id }) => id === chosenId)
  const sectorId = isOffered ? chosenId : choosing.sectorId
  await begin(world, judge, ears, { client, number, sectorId })
}

/** Those who have not chosen come into the queue when nobody is asked any more. */
export async function admitChoosing(world: World, judge: Judge, ears: Ears): Promise<void> {
  const opened = world.model.clients.flatMap((client) =>
    [...client.choosing].map(([number, { sectorId }]) => ({ client, number, sectorId })),
  )
  await settle(world, judge, opened)
  await ears.listen(world, judge)
}

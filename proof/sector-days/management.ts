import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { admitChoosing, pick } from './clients.ts'
import { type Ears, type Judge, settle } from './judge.ts'
import { asked, type Hours, living, type Numbers, type Sector } from './model.ts'
import { anySector, requeueAllOf } from './team.ts'
import { call, clockTime, setPresent, type World } from './world.ts'

// What changes the shop: sectors, their people, hours and numbers, and who comes and goes.

const mostSectors = 5
const fewestSectors = 2

async function manage(
  world: World,
  judge: Judge,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ id?: number } | undefined> {
  const { status, body: answer } = await call<{ id?: number } | undefined>(world, 0, method, path, body)
  judge.check('acts', status < 300, () => `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

let made = 0

export async function makeSector(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  if (living(model).length >= mostSectors) return
  const name = `Setor ${String.fromCodePoint(65 + (made % 26))}${Math.floor(made++ / 26)}`
  judge.act = `${name} is made`
  const people = [...model.workers.values()]
    .filter(({ isBlocked }) => !isBlocked && random() < 0.4)
    .map(({ id }) => ({ userId: id, isLead: random() < 0.3 }))
  const answer = await manage(world, judge, 'POST', '/api/sectors', { name, color: '#2563eb', people })
  if (answer?.id === undefined) return
  model.sectors.set(answer.id, {
    id: answer.id,
    name,
    place: Math.max(0, ...[...model.sectors.values()].map(({ place }) => place)) + 1,
    isActive: true,
    isDeleted: false,
    numbers: null,
    people: new Map(people.map(({ userId, isLead }) => [userId, isLead])),
    hours: null,
  })
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** Deletes a sector; what it has goes to another one, or has none. */
export async function deleteSector(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const sector = anySector(world)
  if (!sector || living(model).length <= fewestSectors) return
  const numbers = [...model.talks.values()].flatMap(({ sectorId, number }) =>
    sectorId === sector.id ? number : [],
  )
  const asking = model.clients.flatMap(({ choosing }) =>
    [...choosing].flatMap(([number, { sectorId }]) => (sectorId === sector.id ? number : [])),
  )
  const target = pick(
    random,
    living(model).filter(
      (other) =>
        other.id !== sector.id &&
        other.isActive &&
        [...numbers, ...asking].every((number) => other.numbers?.includes(number) ?? true),
    ),
  )
  const targetId = random() < 0.7 ? (target?.id ?? null) : null
  judge.act = `${sector.name} is deleted, and what it has goes to ${targetId ?? 'none'}`
  await manage(world, judge, 'DELETE', `/api/sectors/${sector.id}?targetId=${targetId ?? 'none'}`)
  const moved = (id: number | null) => (id === sector.id ? targetId : id)
  sector.isDeleted = true
  sector.isActive = false
  sector.people.clear()
  for (const talk of model.talks.values())
    if (talk.sectorId === sector.id)
      // Who waits does so in another queue, and is told of their place in that one.
      Object.assign(talk, { sectorId: targetId, ...(talk.holderId === null && { told: undefined }) })
  for (const client of model.clients) {
    client.fixedSectorId = moved(client.fixedSectorId)
    for (const [number, choosing] of client.choosing) {
      choosing.sectorId = moved(choosing.sectorId)
      Object.assign(client.past.get(asked(number)) ?? {}, { sectorId: choosing.sectorId })
    }
  }
  const [first, second] = model.defaultSectorIds
  model.defaultSectorIds = [moved(first), moved(second)]
  await admitChoosing(world, judge, ears)
}

/** People of a sector come and go; some of them lead it. */
export async function changePeople(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random } = world
  const sector = anySector(world)
  if (!sector) return
  const admitted = [...model.workers.values()].filter(({ isBlocked }) => !isBlocked)
  const dice = random()
  // A lead alone, who has one of the numbers, sees others wait at the other one.
  const alone = pick(
    random,
    admitted.filter(({ numbers }) => numbers !== null),
  )
  const people =
    dice < 0.12
      ? []
      : dice < 0.35 && alone
        ? [{ userId: alone.id, isLead: true }]
        : admitted
            .filter(({ id }) => (random() < 0.3 ? !sector.people.has(id) : sector.people.has(id)))
            .map(({ id }) => ({ userId: id, isLead: random() < 0.3 }))
  judge.act = `${sector.name} has ${people.map(({ userId }) => userId).join(', ') || 'nobody'}`
  await manage(world, judge, 'PATCH', `/api/sectors/${sector.id}`, { people })
  // Those who are blocked are not shown, and stay.
  const blocked = [...sector.people].filter(([id]) => model.workers.get(id)?.isBlocked)
  sector.people = new Map([...blocked, ...people.map(({ userId, isLead }) => [userId, isLead] as const)])
  await settle(world, judge)
  await ears.listen(world, judge)
}

export async function changeSector(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, numberIds } = world
  const sector = anySector(world)
  if (!sector) return
  const active = living(model).filter(({ isActive }) => isActive)
  const change: Partial<Pick<Sector, 'isActive' | 'numbers'>> =
    random() < 0.5
      ? { isActive: sector.isActive ? active.length <= fewestSectors : true }
      : { numbers: pick(random, [null, null, [0], [1]] as const) ?? null }
  judge.act = `${sector.name} becomes ${JSON.stringify(change)}`
  Object.assign(sector, change)
  await manage(world, judge, 'PATCH', `/api/sectors/${sector.id}`, {
    ...('isActive' in change && { isActive: sector.isActive }),
    ...('numbers' in change && { numberIds: sector.numbers?.map((number) => numberIds[number]) ?? null }),
  })
  await admitChoosing(world, judge, ears)
}

export async function changeOrder(world: World, judge: Judge): Promise<void> {
  const { model, random } = world
  judge.act = 'the sectors are put into another order'
  const ids = living(model)
    .map(({ id }) => id)
    .toSorted(() => random() - 0.5)
  await manage(world, judge, 'PUT', '/api/sectors/order', { ids })
  for (const [n, id] of ids.entries()) Object.assign(model.sectors.get(id) ?? {}, { place: n + 1 })
}

const someHours: readonly (Hours | null)[] = [
  null,
  null,
  { start: 7, end: 20, days: [0, 1, 2, 3, 4, 5, 6] },
  { start: 10, end: 14, days: [1, 3, 5] },
]

/** Before the shop opens: hours, defaults, the menu, distribution, contacts with a sector of their own. */
export async function beginDay(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, at, numberIds } = world
  judge.act = 'the day begins'
  const sector = anySector(world)
  if (sector && random() < 0.3) {
    sector.hours = pick(random, someHours) ?? null
    const hours = sector.hours
    const own = hours && { start: clockTime(hours.start), end: clockTime(hours.end), days: [...hours.days] }
    await manage(world, judge, 'PATCH', `/api/sectors/${sector.id}`, { own: { workingHours: own } })
    await admitChoosing(world, judge, ears)
  }
  const [isMenuOn, isDistributing] = [random() < 0.5, random() < 0.3]
  if (isMenuOn !== model.isMenuOn || isDistributing !== model.isDistributing) {
    Object.assign(model, { isMenuOn, isDistributing })
    await manage(world, judge, 'PATCH', '/api/system-settings', {
      preAttendanceEnabled: isMenuOn,
      sectorMenuEnabled: isMenuOn,
      autoDistributionEnabled: isDistributing,
    })
    await admitChoosing(world, judge, ears)
  }
  if (random() < 0.3) {
    const number: Numbers = random() < 0.5 ? 0 : 1
    const id = random() < 0.8 ? (anySector(world)?.id ?? null) : null
    model.defaultSectorIds[number] = id
    await at.database.execute(
      sql`update evolution_api_config set default_sector_id = ${id} where id = ${numberIds[number]}`,
    )
  }
  const client = pick(random, model.clients)
  const wanted = pick(random, [...living(model).filter(({ isActive }) => isActive), undefined])
  const [contact] = await rows<{ id: number }>(
    at.database,
    sql`select id from contacts where phone = ${client?.phone ?? ''}`,
  )
  if (client && contact) {
    client.fixedSectorId = wanted?.id ?? null
    await manage(world, judge, 'PUT', `/api/contacts/${contact.id}`, { sectorId: client.fixedSectorId })
  }
  await settle(world, judge)
  await ears.listen(world, judge)
}

/** Somebody comes to work or leaves, is blocked or admitted again, or is given other numbers. */
export async function comeAndGo(world: World, judge: Judge, ears: Ears): Promise<void> {
  const { model, random, tokens, at, numberIds } = world
  const worker = pick(random, [...model.workers.values()])
  if (!worker) return
  const dice = random()
  const { id } = worker
  if (worker.isBlocked || dice < 0.08) {
    worker.isBlocked = !worker.isBlocked
    judge.act = `${id} is ${worker.isBlocked ? 'blocked' : 'admitted again'}`
    await manage(world, judge, 'POST', `/api/users/${id}/toggle-block`)
    if (worker.isBlocked) requeueAllOf(world, ({ holderId }) => holderId === id)
    else {
      const [row] = await rows<{ username: string }>(
        at.database,
        sql`select username from users where id = ${id}`,
      )
      const { body } = await at.login(0, row?.username ?? '')
      tokens.set(id, (body as { token: string }).token)
    }
  } else if (dice < 0.16 && worker.role === 'operator') {
    worker.numbers = pick(random, [null, null, [0], [1]] as const) ?? null
    judge.act = `${id} has the numbers ${worker.numbers?.join() ?? 'all'}`
    const given = worker.numbers?.map((number) => numberIds[number]) ?? null
    await manage(world, judge, 'PUT', `/api/users/${id}`, { numberIds: given })
    requeueAllOf(
      world,
      ({ holderId, number }) => holderId === id && !(worker.numbers?.includes(number) ?? true),
    )
  } else {
    worker.isPresent = !worker.isPresent
    judge.act = `${id} ${worker.isPresent ? 'comes' : 'goes'}`
  }
  await setPresent(world)
  await settle(world, judge)
  await ears.listen(world, judge)
}

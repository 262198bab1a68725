// What a shop with sectors should look like, worked out by rules of its own from what was done in it.

export type Numbers = 0 | 1

export interface Hours {
  /** Local hours, such as 8 and 18. */
  start: number
  end: number
  /** 0 is Sunday. */
  days: readonly number[]
}

export interface Sector {
  id: number
  name: string
  place: number
  isActive: boolean
  isDeleted: boolean
  /** null: all. */
  numbers: readonly Numbers[] | null
  /** Whether each of its people leads it. */
  people: Map<number, boolean>
  /** null: the shop's. */
  hours: Hours | null
}

export interface Worker {
  id: number
  role: 'supervisor' | 'operator'
  scope: 'own' | 'sector' | 'all'
  /** null: all. */
  numbers: readonly Numbers[] | null
  isBlocked: boolean
  isPresent: boolean
}

/** An open conversation. */
export interface Talk {
  id: number
  client: number
  number: Numbers
  sectorId: number | null
  holderId: number | null
  startedMs: number
  /** The place that the client was told last, or had when it was first looked at, in this queue. */
  told: { position: number; atMs: number } | undefined
}

/** A client who was sent a menu, and has not chosen. */
export interface Choosing {
  /** The sectors of the menu as it was sent, in the order of their figures. */
  menu: readonly number[]
  /** Where they come without a choice. */
  sectorId: number | null
}

export interface Past {
  startedMs: number
  sectorId: number | null
  /** undefined: it is open. */
  endedMs: number | undefined
}

export const asked = (number: Numbers) => `asked at ${number}`

export interface Client {
  index: number
  phone: string
  name: string
  fixedSectorId: number | null
  choosing: Map<Numbers, Choosing>
  /** All of their conversations, by id, and what they are asked at a number, by `asked`. */
  past: Map<string, Past>
}

export interface Model {
  sectors: Map<number, Sector>
  workers: Map<number, Worker>
  clients: Client[]
  talks: Map<number, Talk>
  defaultSectorIds: [number | null, number | null]
  isMenuOn: boolean
  isDistributing: boolean
  hours: Hours
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** São Paulo has had this offset since Brazil abolished daylight-saving time. */
const offsetMs = 3 * hourMs

export const localHour = (ms: number) => ((ms - offsetMs) % dayMs) / hourMs

export function isOpenAt({ start, end, days }: Hours, ms: number): boolean {
  const weekday = (Math.floor((ms - offsetMs) / dayMs) + 4) % 7
  return days.includes(weekday) && localHour(ms) >= start && localHour(ms) < end
}

/** Whether the hours have an open minute between two instants. */
export function wasOpenBetween(hours: Hours, fromMs: number, untilMs: number): boolean {
  for (let ms = fromMs; ms <= untilMs; ms += 60_000) if (isOpenAt(hours, ms)) return true
  return false
}

export const living = (model: Model): Sector[] =>
  [...model.sectors.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .toSorted((a, b) => a.place - b.place || a.id - b.id)

const serves = (sector: Sector | undefined, number: Numbers): sector is Sector =>
  sector !== undefined && !sector.isDeleted && sector.isActive && (sector.numbers?.includes(number) ?? true)

export const offered = (model: Model, number: Numbers): Sector[] =>
  living(model).filter((sector) => serves(sector, number))

/** Whether whoever writes to a number is asked first: while it is open, or a sector of its menu is. */
export function isAsking(model: Model, number: Numbers, ms: number): boolean {
  if (!model.isMenuOn) return false
  const menu = offered(model, number).slice(0, 9)
  const isAnyOpen = menu.length >= 2 && menu.some(({ id }) => isOpenAt(hoursOf(model, id), ms))
  return isOpenAt(model.hours, ms) || isAnyOpen
}

/** The hours of a conversation's texts. */
export const hoursOf = (model: Model, sectorId: number | null): Hours =>
  model.sectors.get(sectorId ?? 0)?.hours ?? model.hours

/** The sector of a new conversation. @param chosenId from the menu */
export function sectorOfNew(
  model: Model,
  client: Client,
  number: Numbers,
  { nowMs, chosenId }: { nowMs: number; chosenId?: number | undefined },
): number | null {
  const last = [...client.past.values()].toSorted((a, b) => a.startedMs - b.startedMs).at(-1)
  const isRecent = last?.endedMs !== undefined && last.endedMs > nowMs - dayMs
  const wanted = [
    chosenId ?? null,
    client.fixedSectorId,
    isRecent ? last.sectorId : null,
    model.defaultSectorIds[number],
  ]
  return wanted.find((id) => id !== null && serves(model.sectors.get(id), number)) ?? null
}

const hasNumber = ({ numbers }: Worker, number: Numbers) => numbers?.includes(number) ?? true
export const sectorsOf = (model: Model, { id }: Worker): Sector[] =>
  living(model).filter(({ people }) => people.has(id))
const leadsAny = (model: Model, worker: Worker) =>
  sectorsOf(model, worker).some(({ people }) => people.get(worker.id))

/** Whether somebody of a sector takes conversations of it at a number, at work or not. */
const isServed = (model: Model, sectorId: number, number: Numbers): boolean =>
  [...model.workers.values()].some(
    (worker) =>
      !worker.isBlocked &&
      hasNumber(worker, number) &&
      model.sectors.get(sectorId)?.people.has(worker.id) === true,
  )

/** Whether a queue is the worker's for distribution. */
export function isOfTheirs(model: Model, worker: Worker, { sectorId, number }: Talk): boolean {
  if (!hasNumber(worker, number)) return false
  if (sectorId === null) return worker.scope === 'all' || leadsAny(model, worker)
  return model.sectors.get(sectorId)?.people.has(worker.id) === true
}

/** Whether the worker may take it by 'Assumir próxima'. */
export function mayTake(model: Model, worker: Worker, talk: Talk): boolean {
  const isAlone = worker.scope === 'all' && sectorsOf(model, worker).length === 0
  return isAlone ? hasNumber(worker, talk.number) : isOfTheirs(model, worker, talk)
}

/** Whether the worker knows of all of it. */
export function seesWhole(model: Model, worker: Worker, talk: Talk): boolean {
  if (!hasNumber(worker, talk.number)) return false
  if (worker.scope === 'all' || talk.holderId === worker.id) return true
  const isLead = leadsAny(model, worker)
  if (talk.sectorId === null) return isLead
  const isIn = model.sectors.get(talk.sectorId)?.people.has(worker.id) === true
  return isIn && (isLead || worker.scope === 'sector')
}

/** The sector of a conversation once somebody was given it. */
export function sectorWith(model: Model, talk: Talk, receiver: Worker): number | null {
  const own = sectorsOf(model, receiver)
  if (own.some(({ id }) => id === talk.sectorId)) return talk.sectorId
  return own.find((sector) => serves(sector, talk.number))?.id ?? talk.sectorId
}

const byAge = (a: Talk, b: Talk) => a.startedMs - b.startedMs || a.id - b.id

export const waiting = (model: Model): Talk[] =>
  [...model.talks.values()].filter(({ holderId }) => holderId === null).sort(byAge)

/** Numbers that the same people were given have one queue for what has no sector. */
function areOneQueue(model: Model, one: Numbers, other: Numbers): boolean {
  const given = (number: Numbers) =>
    [...model.workers.values()]
      .filter(({ numbers, isBlocked }) => !isBlocked && numbers?.includes(number))
      .map(({ id }) => id)
      .join()
  return one === other || given(one) === given(other)
}

/** The place of a conversation that waits: over all numbers of its sector. */
export function placeOf(model: Model, talk: Talk): number {
  const queue = waiting(model).filter(
    (other) =>
      other.sectorId === talk.sectorId &&
      (talk.sectorId !== null || areOneQueue(model, other.number, talk.number)),
  )
  return queue.indexOf(talk) + 1
}

/** The sectors with clients who wait and whom nobody of the sector can take, and how many these are. */
export function unserved(model: Model): Map<number, number> {
  const found = new Map<number, number>()
  for (const { sectorId, number } of waiting(model))
    if (sectorId !== null && !isServed(model, sectorId, number))
      found.set(sectorId, (found.get(sectorId) ?? 0) + 1)
  return found
}

export const isLeadOf = (model: Model, worker: Worker, sectorId: number): boolean =>
  model.sectors.get(sectorId)?.people.get(worker.id) === true

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Result } from '../support/scenario.ts'
import {
  asked,
  type Client,
  hoursOf,
  isOpenAt,
  type Model,
  type Numbers,
  placeOf,
  type Talk,
  waiting,
  wasOpenBetween,
} from './model.ts'
import { call, type World } from './world.ts'

const properties = {
  acts: 'every act is answered as it should be',
  sectors: 'a conversation is of the sector that the rules say, and waits or is held as the acts left it',
  oldest: 'the next one is the oldest of the queues, and distribution passes over nobody',
  places: 'a place that is told or shown is the place counted',
  twice: 'nobody is told twice: a place, a greeting, a transfer, that it is closed',
  nearer: 'whoever has come nearer is told',
  unserved: 'who waits where nobody of the sector takes is told to whoever manages sectors, and only that',
  leads: 'leads are told of it, and only of their sectors',
} as const
export type Property = keyof typeof properties

const mostFaults = 20

/** Counts what was checked, and keeps what was wrong. */
export class Judge {
  /** What is being done, for the words of a fault. */
  act = ''
  readonly #checked = new Map<Property, number>()
  readonly #faults = new Map<Property, string[]>()

  check(property: Property, isRight: boolean, words: () => string): boolean {
    this.#checked.set(property, (this.#checked.get(property) ?? 0) + 1)
    if (isRight) return true
    const faults = this.#faults.get(property) ?? []
    if (faults.length < mostFaults) faults.push(`${this.act}: ${words()}`)
    this.#faults.set(property, faults)
    return false
  }

  get faultCount(): number {
    return [...this.#faults.values()].reduce((sum, faults) => sum + faults.length, 0)
  }

  results(): Result[] {
    return (Object.keys(properties) as Property[]).map((property) => ({
      property: properties[property],
      checked: this.#checked.get(property) ?? 0,
      faults: this.#faults.get(property) ?? [],
    }))
  }
}

interface Row extends Record<string, unknown> {
  id: number
  phone: string
  instanceId: number
  sectorId: number | null
  holderId: number | null
  isWaiting: boolean
  startedAt: string
}

/** A conversation that an act is expected to open. */
export interface Opened {
  client: Client
  number: Numbers
  sectorId: number | null
}

/**
 * Compares the open conversations with the model, which is then as they are.
 * @param opened those that may have begun; that they have is another check
 */
export async function settle(world: World, judge: Judge, opened: readonly Opened[] = []): Promise<Talk[]> {
  const { at, model, numberIds } = world
  const found = await rows<Row>(
    at.database,
    sql`select v.id, k.phone, v.instance_id as "instanceId", v.sector_id as "sectorId",
               v.assigned_user_id as "holderId", v.started_at::text as "startedAt",
               v.sub_status = 'FILA' and v.waiting_for = 'operator' as "isWaiting"
          from conversations v join contacts k on k.id = v.contact_id where v.status <> 'completed'`,
  )
  const begun: Talk[] = []
  for (const row of found) {
    const client = model.clients.find(({ phone }) => phone === row.phone)
    const number: Numbers = row.instanceId === numberIds[0] ? 0 : 1
    const known = model.talks.get(row.id)
    const expected = known ?? opened.find((one) => one.client === client && one.number === number)
    const holderId = known?.holderId ?? null
    judge.check(
      'sectors',
      expected?.sectorId === row.sectorId &&
        holderId === row.holderId &&
        row.isWaiting === (row.holderId === null),
      () =>
        `conversation ${row.id} of ${row.phone} is of sector ${row.sectorId} and held by ${row.holderId}` +
        `${row.isWaiting ? ', waiting' : ''}; expected ${expected?.sectorId} and ${holderId}`,
    )
    if (known) Object.assign(known, { sectorId: row.sectorId, holderId: row.holderId })
    else {
      const talk: Talk = {
        id: row.id,
        client: client?.index ?? -1,
        number,
        sectorId: row.sectorId,
        holderId: row.holderId,
        startedMs: Date.parse(row.startedAt),
        told: undefined,
      }
      model.talks.set(row.id, talk)
      begun.push(talk)
      client?.choosing.delete(number)
      client?.past.delete(asked(number))
      client?.past.set(String(talk.id), { ...talk, endedMs: undefined })
    }
  }
  const ids = new Set(found.map(({ id }) => id))
  for (const id of model.talks.keys())
    if (!judge.check('sectors', ids.has(id), () => `conversation ${id} is not open any longer`))
      model.talks.delete(id)
  return begun
}

interface Told extends Record<string, unknown> {
  id: number
  conversationId: number
  text: string
  content: string
}

/** What was told since the last look, of which each client may have heard some. */
export class Ears {
  #lastId = 0
  readonly #greeted = new Set<number>()
  readonly #closedAt = new Map<number, number>()

  /** @param transferred the conversation of which its client is to be told that it goes to a sector */
  async listen(
    { at, clock, model }: World,
    judge: Judge,
    transferred?: { id: number; name: string },
  ): Promise<Told[]> {
    const nowMs = (await clock.now()).getTime()
    const found = await rows<Told>(
      at.database,
      sql`select id, conversation_id as "conversationId", metadata ->> 'text' as text, content
            from messages where id > ${this.#lastId} and metadata ->> 'text' is not null order by id`,
    )
    this.#lastId = found.at(-1)?.id ?? this.#lastId
    for (const told of found) this.#judge(model, judge, told, nowMs)
    const moves = found.filter(({ text }) => text === 'transferMessage')
    judge.check(
      'twice',
      moves.length === (transferred ? 1 : 0) &&
        moves.every(
          (one) => one.conversationId === transferred?.id && one.content === `para ${transferred.name}`,
        ),
      () => `told of transfers: ${JSON.stringify(moves)}; expected ${JSON.stringify(transferred)}`,
    )
    return found
  }

  #judge(model: Model, judge: Judge, { conversationId: id, text, content }: Told, nowMs: number): void {
    const talk = model.talks.get(id)
    if (text === 'queueMessage' || text === 'queueWelcomeMessage') {
      judge.check('twice', !this.#greeted.has(id), () => `conversation ${id} is greeted again by ${content}`)
      this.#greeted.add(id)
    }
    if (text === 'queueMessage' || text === 'queuePositionUpdateMessage') {
      const place = talk && placeOf(model, talk)
      judge.check(
        'places',
        content.endsWith(` ${place}`),
        () => `${id} is told ${content}, and is at ${place}`,
      )
      const position = Number(content.split(' ')[1])
      const before = talk?.told
      if (text === 'queuePositionUpdateMessage')
        judge.check(
          'twice',
          before !== undefined && position < before.position && nowMs - before.atMs >= 60_000,
          () => `${id} is told ${content} after ${JSON.stringify(before)}`,
        )
      if (talk) talk.told = { position, atMs: nowMs }
    }
    if (text === 'autoReplyMessage') {
      const hours = hoursOf(model, talk?.sectorId ?? null)
      const lastMs = this.#closedAt.get(id)
      judge.check(
        'twice',
        !isOpenAt(hours, nowMs) && (lastMs === undefined || wasOpenBetween(hours, lastMs, nowMs)),
        () => `${id} is told that it is closed at ${new Date(nowMs).toISOString()}, and was at ${lastMs}`,
      )
      this.#closedAt.set(id, nowMs)
    }
  }
}

/** Compares the places that are shown, to the administrator and to somebody at work, with those counted. */
export async function judgeShown(world: World, judge: Judge, who: number): Promise<void> {
  for (const reader of [0, who]) {
    // A list is shared by its readers, and follows what was written elsewhere a moment later.
    let shown = await shownTo(world, reader)
    for (let tries = 0; tries < 20 && shown.some(({ isRight }) => !isRight); tries++) {
      await sleep(50)
      shown = await shownTo(world, reader)
    }
    for (const { isRight, words } of shown) judge.check('places', isRight, () => words)
  }
}

async function shownTo(world: World, reader: number): Promise<{ isRight: boolean; words: string }[]> {
  const { model } = world
  type Shown = { id: number; queuePosition: number }[]
  const { body } = await call<Shown>(world, reader, 'GET', '/api/conversations')
  return waiting(model).flatMap((talk) => {
    const shown = body.find(({ id }) => id === talk.id)?.queuePosition
    if (reader !== 0 && shown === undefined) return []
    const place = placeOf(model, talk)
    const words = `${talk.id} is shown to ${reader} at ${shown}, and is at ${place}`
    return [{ isRight: shown === place, words }]
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { addNumber } from '#server/testing/add-number.ts'
import { type MovableClock, movableClock } from '#server/testing/database/movable-clock.ts'
import { saying } from '#server/testing/test-person.ts'
import { newPhoneMessageId, type Random } from '#simulator/random.ts'
import {
  type Answer,
  nothingByItself,
  startTwoInstances,
  type TwoInstances,
} from '../support/two-instances.ts'
import type { Client, Model, Numbers, Worker } from './model.ts'

export interface World {
  at: TwoInstances
  clock: MovableClock
  random: Random
  numberIds: readonly [number, number]
  /** Of the administrator, 0, and of the workers, by id. */
  tokens: Map<number, string>
  model: Model
}

const clients = 60
const shopHours = { start: 8, end: 18, days: [1, 2, 3, 4, 5, 6] }

export const clockTime = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Texts by which what a client was told can be read. */
const texts = {
  workingHours: { start: clockTime(shopHours.start), end: clockTime(shopHours.end), days: shopHours.days },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  isAutoReplyEnabled: true,
  autoReplyMessage: 'fechado',
  queueMessage: 'lugar {{position}}',
  queuePositionUpdateMessage: 'agora {{position}}',
  queueWelcomeMessage: 'bem-vindo',
  transferMessage: 'para {{sector}}',
  finalizationMessage: '',
  sectorMenuMessage: '{{opcoes}}',
  sectorMenuInvalidMessage: 'não entendi: {{opcoes}}',
  preAttendanceMostInvalid: 0,
  ratingsEnabled: false,
  undoSendSeconds: 0 as const,
  maxActivePerOperator: 3,
}

const people: readonly Pick<Worker, 'role' | 'scope' | 'numbers'>[] = [
  { role: 'supervisor', scope: 'all', numbers: null },
  { role: 'operator', scope: 'all', numbers: null },
  { role: 'operator', scope: 'all', numbers: null },
  { role: 'operator', scope: 'sector', numbers: null },
  { role: 'operator', scope: 'own', numbers: null },
  { role: 'operator', scope: 'own', numbers: [0] },
  { role: 'operator', scope: 'sector', numbers: null },
]

export async function startShop(defer: (close: () => unknown) => void, random: Random): Promise<World> {
  const at = await startTwoInstances({
    ...nothingByItself,
    simulator: { serverAckMs: 1, deliveryAckMs: 2, echoMs: 1 },
  })
  defer(at.close)
  const { database, simulator } = at
  const [app] = at.apps
  if (!app) throw new Error('no instance was started')
  await saveSettings(database, texts)
  const second = await addNumber({ simulator, app, database }, 'loja2', 10_000)
  const chefe = await at.signIn('admin', 'chefe')
  const tokens = new Map([[0, chefe.token]])
  const workers = new Map<number, Worker>()
  for (const [n, person] of people.entries()) {
    const { id, token } = await at.signIn(person.role, `pessoa${n}`)
    tokens.set(id, token)
    workers.set(id, { ...person, id, isBlocked: false, isPresent: false })
  }
  const numberIds = [at.instanceId, second] as const
  const given = [...workers.values()].map(({ id, scope, numbers }) => ({
    id,
    scope,
    numbers: numbers?.map((number) => numberIds[number]) ?? null,
  }))
  await database.execute(
    sql`update users set scope = w.scope, number_ids = w.numbers
          from json_to_recordset(${JSON.stringify(given)}::json) as w(id int, scope text, numbers int[])
         where users.id = w.id`,
  )
  const model: Model = {
    sectors: new Map(),
    workers,
    clients: Array.from({ length: clients }, (_, index) => ({
      index,
      phone: `5511977${String(100_000 + index)}`,
      name: `Cliente ${index}`,
      fixedSectorId: null,
      choosing: new Map(),
      past: new Map(),
    })),
    talks: new Map(),
    defaultSectorIds: [null, null],
    isMenuOn: false,
    isDistributing: false,
    hours: shopHours,
  }
  for (const { name, phone } of model.clients) simulator.control.createPhone({ name, number: phone })
  const clock = await movableClock(database)
  return { at, clock, random, numberIds, tokens, model }
}

/** Makes a call as a worker, or as the administrator. */
export async function call<Body = unknown>(
  { at, tokens }: World,
  who: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const answer = await at.pools[0]?.request({
    method: method as 'GET',
    path,
    headers: {
      authorization: `Bearer ${tokens.get(who)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = (await answer?.body.text()) ?? ''
  return { status: answer?.statusCode ?? 0, body: (text === '' ? undefined : JSON.parse(text)) as Body }
}

/** Lets time pass. Nobody's session ends by it. */
export async function pass({ at, clock }: World, ms: number): Promise<void> {
  await clock.forward(ms)
  await at.database.execute(
    sql`update sessions set created_at = app_now(), last_seen_at = app_now(), confirmed_at = app_now()
         where ended_at is null`,
  )
}

/** What a client writes is received as from the gateway. */
export async function receive(
  { at, clock, numberIds }: World,
  { phone, name }: Client,
  number: Numbers,
  text: string,
): Promise<void> {
  const sentAt = await clock.now()
  await inTransaction(at.database, (db) =>
    receiveMessage(db, numberIds[number], {
      kind: 'message',
      waId: newPhoneMessageId(),
      peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
      origin: 'contact',
      name,
      sentAt,
      content: saying(text),
      quoted: undefined,
      isHistory: false,
    }),
  )
}

/** Waits until every text has left: none of a queue is written while another one waits. */
export async function untilSent({ at: { database } }: World): Promise<void> {
  for (let tries = 0; ; tries++) {
    const [row] = await rows<{ n: number }>(
      database,
      sql`select count(*)::int as n from outbox where state in ('pending', 'sending', 'unknown')`,
    )
    if (row?.n === 0) return
    if (tries > 10_000) throw new Error('texts do not leave')
    await inTransaction(database, async (db) => {
      await db.execute(sql`update evolution_api_config set next_automatic_at = now()`)
      db.signal('outbox')
    })
    await sleep(3)
  }
}

/** Who has a screen open and is there. */
export async function setPresent({ at: { database }, model }: World): Promise<void> {
  const ids = [...model.workers.values()]
    .filter(({ isPresent, isBlocked }) => isPresent && !isBlocked)
    .map(({ id }) => id)
  await inTransaction(database, async (db) => {
    await db.execute(sql`delete from presence`)
    await db.execute(
      sql`insert into presence (connection_id, process_id, user_id, heartbeat_at, last_input_at)
          select 'prova ' || id, 'prova', id, now() + interval '1 day', now() + interval '1 day'
            from unnest(${sql.param(ids)}::int[]) id`,
    )
  })
}

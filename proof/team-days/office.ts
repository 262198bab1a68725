import { sql } from 'drizzle-orm'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { type MovableClock, movableClock } from '#server/testing/database/movable-clock.ts'
import { saying } from '#server/testing/test-person.ts'
import { recordPresence } from '#server/workday/recorder.ts'
import { newPhoneMessageId, type Random } from '#simulator/random.ts'
import type { Role } from '#shared/permissions.ts'
import { suggestedReasons } from '#shared/workday/pauses.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import {
  type Answer,
  nothingByItself,
  startTwoInstances,
  type TwoInstances,
} from '../support/two-instances.ts'
import { Timecard } from './timecard.ts'

/** Somebody of the team. */
export interface Worker {
  id: number
  token: string
  role: Role
  timecard: Timecard
}

/** A client with a phone. */
export interface Client {
  phoneId: string
  phone: string
  name: string
}

/** A text of the team, and what its caller was answered, to be looked for in the evening. */
export interface Said {
  text: string
  /** The answer promised that it will be sent. */
  isPromised: boolean
}

export interface Office {
  at: TwoInstances
  database: Database
  clock: MovableClock
  random: Random
  admin: Worker
  workers: Worker[]
  clients: Client[]
  /** Sectors, and the reasons of pauses, by id. */
  sectorIds: number[]
  pauseIds: number[]
  /** Reasons of ending that every sector offers. */
  reasonIds: number[]
  macroIds: number[]
  said: Said[]
  /** The texts of clients, each as often as it was handed over. */
  heard: Map<string, number>
  /** Calls that were answered by the status, by what they are. */
  answers: Map<string, number>
  /** Answers that nothing of the day explains. */
  faults: string[]
}

const operators = 27
const clientCount = 240

const settings = {
  workingHours: { start: '08:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo' as const,
  isAutoReplyEnabled: true,
  autoReplyMessage: 'fechado',
  queueMessage: '',
  queuePositionUpdateMessage: '',
  finalizationMessage: 'até logo',
  ratingsEnabled: false,
  askReason: 'required' as const,
  autoDistributionEnabled: true,
  maxActivePerOperator: 5,
  pauseReturnMinutes: 20,
  undoFinalizeSeconds: 5,
}

/** A team of thirty with three sectors, targets, reasons and pauses, and the clients who write to it. */
export async function openOffice(defer: (close: () => unknown) => void, random: Random): Promise<Office> {
  const at = await startTwoInstances({
    ...nothingByItself,
    simulator: { serverAckMs: 1, deliveryAckMs: 2, echoMs: 1 },
  })
  defer(at.close)
  const { database, simulator } = at
  const clock = await movableClock(database)
  const chefe = await at.signIn('admin', 'chefe')
  const admin: Worker = { id: chefe.id, token: chefe.token, role: 'admin', timecard: new Timecard() }
  const workers = await hire(database)
  const clients = Array.from({ length: clientCount }, (_, n) => ({
    phoneId: `p${n}`,
    phone: `5511966${String(100_000 + n)}`,
    name: `Cliente ${n}`,
  }))
  for (const { phoneId, phone, name } of clients)
    simulator.control.createPhone({ id: phoneId, name, number: phone })
  const office: Office = {
    at,
    database,
    clock,
    random,
    admin,
    workers,
    clients,
    sectorIds: [],
    pauseIds: [],
    reasonIds: [],
    macroIds: [],
    said: [],
    faults: [],
    heard: new Map(),
    answers: new Map(),
  }
  await saveSettings(database, settings)
  await furnish(office)
  return office
}

async function hire(database: Database): Promise<Worker[]> {
  const accounts = Array.from({ length: operators + 3 }, (_, n) => ({
    username: `pessoa${n}`,
    role: n < 3 ? ('supervisor' as const) : ('operator' as const),
  }))
  const ids = await makeAccounts(database, accounts)
  const tokens = await openSessions(database, ids)
  return ids.map((id, n) => ({
    id,
    token: tokens[n] ?? '',
    role: accounts[n]?.role ?? 'operator',
    timecard: new Timecard(),
  }))
}

/** Sectors, reasons, pauses and targets, as an administrator makes them. */
async function furnish(office: Office): Promise<void> {
  const { admin, workers } = office
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await call<{ id: number }>(office, admin, 'POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.id
  }
  for (const [n, name] of ['Financeiro', 'Suporte', 'Vendas'].entries()) {
    const people = workers.flatMap(({ id }, at) =>
      // Three lead, nine are in each, and some of these in the next one, too.
      at % 3 === n || (at % 3 === (n + 1) % 3 && at % 6 === 4) ? [{ userId: id, isLead: at === n }] : [],
    )
    office.sectorIds.push(await make('/api/sectors', { name, color: '#2563eb', people }))
  }
  for (const name of ['Dúvida', 'Pedido', 'Segunda via'])
    office.reasonIds.push(await make('/api/reasons', { name }))
  const pauses = await call<{ ids: number[] }>(office, admin, 'POST', '/api/pauses', {
    reasons: suggestedReasons,
  })
  office.pauseIds.push(...pauses.body.ids)
  const [reasonId = null] = office.reasonIds
  for (const [name, ...steps] of [
    ['separar', { kind: 'note', text: 'separar hoje' }, { kind: 'priority', priority: 'high' }],
    ['esperar', { kind: 'snooze', time: 'hour' }],
    ['encerrar', { kind: 'note', text: 'separar hoje' }, { kind: 'finalize', reasonId }],
  ] as const)
    office.macroIds.push(
      await make('/api/macros', {
        name,
        shortcut: name,
        isShared: true,
        sectorId: null,
        steps: [{ kind: 'text', text: `zqm {{protocol}} ${name}` }, ...steps],
      }),
    )
  const [first = null] = office.sectorIds
  const targets = await call(office, admin, 'PUT', '/api/sla-targets', {
    targets: [
      { sectorId: null, categoryId: null, replyMinutes: 15, endMinutes: 240 },
      { sectorId: first, categoryId: null, replyMinutes: 5, endMinutes: 60 },
    ],
  })
  if (targets.status !== 200) throw new Error(`no targets: ${JSON.stringify(targets.body)}`)
}

let turn = 0

/** Makes a call to one of the instances in turn, and keeps what it was answered. */
export async function call<Body = unknown>(
  { at, answers, faults }: Office,
  who: Worker,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const answer = await at.pools[turn++ % at.pools.length]?.request({
    method: method as 'GET',
    path,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = (await answer?.body.text()) ?? ''
  const status = answer?.statusCode ?? 0
  const what = `${method} ${path.replace(/\?.*/, '').replaceAll(/\d+/g, 'n')}`
  answers.set(`${what} ${status}`, (answers.get(`${what} ${status}`) ?? 0) + 1)
  if (status === 0 || status >= 500 || status === 400 || status === 401)
    faults.push(`${what} by ${who.role}: ${status} ${text.slice(0, 300)}`)
  return { status, body: (text === '' ? undefined : JSON.parse(text)) as Body }
}

/** What a client writes is received as from the gateway, sometimes twice, by both instances at once. */
export async function receive(office: Office, client: Client, text: string): Promise<void> {
  const { at, clock, heard, random } = office
  const sentAt = await clock.now()
  const waId = newPhoneMessageId()
  const once = (database: Database) =>
    inTransaction(database, (db) =>
      receiveMessage(db, at.instanceId, {
        kind: 'message',
        waId,
        peer: { phone: client.phone, lid: undefined, jid: `${client.phone}@s.whatsapp.net` },
        origin: 'contact',
        name: client.name,
        sentAt,
        content: saying(text),
        quoted: undefined,
        isHistory: false,
      }),
    )
  heard.set(text, (heard.get(text) ?? 0) + 1)
  await Promise.all(random() < 0.1 ? at.databases.map(once) : [once(at.databases[0])])
}

/**
 * Lets time pass. Nobody's session ends by it; who is connected was so all the while.
 * @param ms milliseconds of the product's clock
 */
export async function pass({ clock, database }: Office, ms: number): Promise<void> {
  await inTransaction(database, async (db) => {
    await recordPresence(db)
    await db.execute(sql`update presence set connected_at = connected_at - ${ms} * interval '1 millisecond'`)
  })
  await clock.forward(ms)
  await inTransaction(database, (db) => recordPresence(db))
  await database.execute(
    sql`update sessions set created_at = app_now(), last_seen_at = app_now(), confirmed_at = app_now()
         where ended_at is null`,
  )
}

/** Somebody opens the console, or closes it. */
export async function connect({ database }: Office, worker: Worker, isThere: boolean): Promise<void> {
  const atMs = await inTransaction(database, async (db) => {
    if (isThere)
      await db.execute(
        sql`insert into presence (connection_id, process_id, user_id, heartbeat_at, last_input_at)
            values (${`dia ${worker.id}`}, 'dia', ${worker.id}, now() + interval '1 day',
                    now() + interval '1 day')`,
      )
    else await db.execute(sql`update presence set left_at = now() where user_id = ${worker.id}`)
    await recordPresence(db)
    if (!isThere) await db.execute(sql`delete from presence where user_id = ${worker.id}`)
    const [row] = await rows<{ ms: number }>(
      db,
      sql`select (extract(epoch from app_now()) * 1000)::float8 as ms`,
    )
    return row?.ms ?? 0
  })
  worker.timecard.note(isThere ? 'available' : 'gone', atMs)
}

/** Somebody says what they are, and notes it. */
export async function setState(
  office: Office,
  worker: Worker,
  state: 'available' | 'paused' | 'away',
  reasonId?: number,
): Promise<void> {
  const before = (await office.clock.now()).getTime()
  const body = { state, ...(state === 'paused' && { reasonId }) }
  const { status } = await call(office, worker, 'PUT', '/api/profile/presence', body)
  const after = (await office.clock.now()).getTime()
  if (status === 200) worker.timecard.note(state, after, after - before)
}

import { sql } from 'drizzle-orm'
import { call, type Client, connect, type Office, receive, setState, type Worker } from './office.ts'
import { ask } from './ask.ts'

// What thirty people and their clients do in an hour, each act by itself; several happen at once.

export type Act = (office: Office) => Promise<unknown>

const pick = <Item>({ random }: Office, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)]

let written = 0
/** A text that is said once. @param kind 'c' of a client, 'r' a reply, 's' scheduled */
const word = (kind: 'c' | 'r' | 's') => `zq${kind}${String(++written).padStart(8, '0')}z`

const minuteMs = 60_000

interface Own extends Record<string, unknown> {
  id: number
  version: number
  phone: string
  isOnHold: boolean
}

/** One of the conversations that somebody has, as they see it at this moment. */
async function ownOf(office: Office, worker: Worker): Promise<Own | undefined> {
  return pick(
    office,
    await ask<Own>(
      office,
      sql`select v.id, v.version, k.phone, v.snoozed_until is not null as "isOnHold"
            from conversations v join contacts k on k.id = v.contact_id
           where v.assigned_user_id = ${worker.id} and v.status <> 'completed' order by v.id`,
    ),
  )
}

const present = ({ workers }: Office) => workers.filter(({ timecard }) => timecard.state !== 'gone')
const atWork = ({ workers }: Office) => workers.filter(({ timecard }) => timecard.state === 'available')

/** Somebody who is there does something with a conversation of theirs. */
const withOwn =
  (work: (office: Office, worker: Worker, own: Own, path: string) => Promise<unknown>): Act =>
  async (office) => {
    const worker = pick(office, atWork(office))
    const own = worker && (await ownOf(office, worker))
    if (worker && own) await work(office, worker, own, `/api/conversations/${own.id}`)
  }

const clientOf = ({ clients }: Office, { phone }: Own): Client | undefined =>
  clients.find((client) => client.phone === phone)

export const clientWrites: Act = async (office) => {
  const client = pick(office, office.clients)
  if (client) await receive(office, client, word('c'))
}

export const takeNext: Act = async (office) => {
  const worker = pick(office, atWork(office))
  if (worker) await call(office, worker, 'POST', '/api/conversations/take-next', {})
}

export const reply = withOwn(async (office, worker, _own, path) => {
  const text = word('r')
  const body = { content: text, clientMessageId: text }
  const send = () => call(office, worker, 'POST', `${path}/messages`, body)
  // The answer to the first has not come, so the screen sends it again.
  const answers = await Promise.all(office.random() < 0.2 ? [send(), send()] : [send()])
  office.said.push({ text, isPromised: answers.some(({ status }) => status < 300) })
})

export const hold = withOwn(async (office, worker, { version }, path) => {
  const until = (await office.clock.now()).getTime() + (5 + office.random() * 180) * minuteMs
  await call(office, worker, 'PUT', `${path}/snooze`, {
    until: new Date(until).toISOString(),
    reason: 'esperar o estoque',
    version,
  })
})

export const takeUp = withOwn((office, worker, _own, path) =>
  call(office, worker, 'DELETE', `${path}/snooze`),
)

export const schedule = withOwn(async (office, worker, own, path) => {
  const text = word('s')
  const sendAt = (await office.clock.now()).getTime() + (2 + office.random() * 300) * minuteMs
  const { status } = await call(office, worker, 'POST', `${path}/scheduled-messages`, {
    content: text,
    sendAt: new Date(sendAt).toISOString(),
    cancelOnAnswer: office.random() < 0.6,
    onlyOpen: office.random() < 0.6,
    clientMessageId: text,
  })
  if (status !== 201) office.said.push({ text, isPromised: false })
  const client = clientOf(office, own)
  if (client && office.random() < 0.3) await receive(office, client, word('c'))
})

export const transferToPerson = withOwn(async (office, worker, own, path) => {
  const receiver = pick(
    office,
    office.workers.filter(({ id }) => id !== worker.id),
  )
  if (receiver)
    await call(office, worker, 'POST', `${path}/transfer`, {
      newOperatorId: receiver.id,
      version: own.version,
      ...(own.isOnHold && { endsSnooze: office.random() < 0.5 }),
    })
})

export const transferToSector = withOwn((office, worker, _own, path) =>
  call(office, worker, 'POST', `${path}/transfer-to-sector`, {
    sectorId: pick(office, office.sectorIds),
    note: 'olhar o pedido',
  }),
)

/** Ends it, sometimes without a reason, while the client writes, or to undo it again. */
export const finalize = withOwn(async (office, worker, own, path) => {
  const { random } = office
  const end = (reasonId: number | undefined, isUndoable: boolean) =>
    call(office, worker, 'POST', `${path}/finalize`, {
      ...(reasonId !== undefined && { reasonId }),
      isUndoable,
    })
  if (random() < 0.15) {
    const { status } = await end(undefined, false)
    if (status < 300) office.faults.push(`${path} was finalized without a reason`)
    return
  }
  const isUndone = random() < 0.2
  const client = clientOf(office, own)
  await Promise.all([
    end(pick(office, office.reasonIds), isUndone),
    client && random() < 0.2 ? receive(office, client, word('c')) : undefined,
  ])
  if (isUndone) await call(office, worker, 'POST', `${path}/undo-finalize`, {})
})

/** Runs a macro as it was shown; the answer may not come, so that it is run again with the same id. */
export const runMacro = withOwn(async (office, worker, _own, path) => {
  const macro = `${path}/macros/${pick(office, office.macroIds)}`
  const { status, body } = await call<{
    version: number
    holderId: number | null
    lastEntryId: number | null
  }>(office, worker, 'GET', `${macro}/preview`)
  if (status !== 200) return
  const { version, holderId, lastEntryId } = body
  const given = { runId: `dia-${String(++written).padStart(8, '0')}`, version, holderId, lastEntryId }
  const run = () => call(office, worker, 'POST', `${macro}/run`, given)
  await Promise.all(office.random() < 0.3 ? [run(), run()] : [run()])
})

/** Goes into a pause, away, or back. */
export const pauseOrReturn: Act = async (office) => {
  const worker = pick(office, present(office))
  if (!worker) return
  const state =
    worker.timecard.state === 'available' ? (office.random() < 0.7 ? 'paused' : 'away') : 'available'
  await setState(office, worker, state, pick(office, office.pauseIds))
}

/** Somebody comes, or closes the console for a while. */
export const comeOrGo: Act = async (office) => {
  const worker = pick(office, office.workers)
  if (!worker || worker.timecard.state === 'paused' || worker.timecard.state === 'away') return
  await connect(office, worker, worker.timecard.state === 'gone')
}

/** Somebody looks at the list, whose figures are those of its rows. */
export const look: Act = async (office) => {
  const worker = pick(office, atWork(office))
  if (!worker) return
  for (const path of ['/api/conversations?view=mine', '/api/stats/team', '/api/notifications?tab=mentions'])
    await call(office, worker, 'GET', path)
}

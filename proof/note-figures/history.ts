import { sql } from 'drizzle-orm'
import { recordFailed, recordSent } from '#server/conversations/messages/sent.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { type person, saying } from '#server/testing/test-person.ts'
import type { Random } from '#simulator/random.ts'
import type { Colleague, Twin } from './twins.ts'

/** A client of both twins, and the names of their messages. */
export interface Client {
  person: ReturnType<typeof person>
  names: string[]
}

/** What happens, alike in both: what is random is drawn from the twin. */
type Act = (twin: Twin, clients: readonly Client[]) => Promise<unknown>

export const pick = <Item>(random: Random, from: readonly Item[]): Item | undefined =>
  from[Math.floor(random() * from.length)]

const anybody = ({ random, team }: Twin) => pick(random, team) as Colleague
const client = ({ random }: Twin, clients: readonly Client[]) => pick(random, clients) as Client

export interface Talk extends Record<string, unknown> {
  id: number
  contactId: number
  isHistory: boolean
}

export const talksOf = ({ database }: Twin, where: 'open' | 'completed') =>
  rows<Talk>(
    database,
    sql`select id, contact_id as "contactId", is_history as "isHistory" from conversations
         where (status = 'completed') = ${where === 'completed'} order by id`,
  )

const base = '/api/conversations'

const onTalk =
  (act: (twin: Twin, talk: Talk) => Promise<unknown>, where: 'open' | 'completed' = 'open'): Act =>
  async (twin) => {
    const talk = pick(twin.random, await talksOf(twin, where))
    if (talk) await act(twin, talk)
  }

const call =
  (method: string, path: (talk: Talk) => string, body?: (twin: Twin) => unknown, where?: 'completed'): Act =>
  (twin, clients) =>
    onTalk((one, talk) => one.call(anybody(one), method, path(talk), body?.(one)), where)(twin, clients)

/** By WhatsApp's clock, in whole seconds. */
const secondOf = ({ nowMs }: Twin, agoMs = 0) => new Date(Math.floor((nowMs - agoMs) / 1000) * 1000)

const words = ['oi', 'obrigado', '5', '1', '2', 'tchau', 'quanto custa?']

const writes: Act = (twin, clients) => {
  const one = client(twin, clients)
  const name = `m${++twin.count}`
  if (!one.names.includes(name)) one.names.push(name)
  const isLate = twin.random() < 0.15
  const sentAt = secondOf(twin, isLate ? Math.floor(twin.random() * 3_600_000) : 0)
  const content = saying(
    twin.random() < 0.5 ? `${name} ${pick(twin.random, words)}` : `${pick(twin.random, words)}`,
  )
  const isHistory = twin.random() < 0.03
  return twin.happens(one.person.writes(name, 1, { sentAt, content, isHistory }))
}

const answersByPhone: Act = (twin, clients) => {
  const one = client(twin, clients)
  const name = `m${++twin.count}`
  const sentAt = secondOf(twin, twin.random() < 0.3 ? Math.floor(twin.random() * 900_000) : 0)
  return twin.happens(one.person.byPhone(name, 1, { sentAt }))
}

const messagesWith = ({ database }: Twin, condition: ReturnType<typeof sql>) =>
  rows<{ id: number; conversationId: number; waId: string }>(
    database,
    sql`select id, conversation_id as "conversationId", whatsapp_message_id as "waId" from messages
         where message_type <> 'note' and ${condition} order by id`,
  )

const unsent = sql`delivery_status in ('pending', 'failed') and whatsapp_message_id is null`

const isSent: Act = async (twin) => {
  const one = pick(twin.random, await messagesWith(twin, unsent))
  if (!one) return
  const waId = `enviada-${one.id}-${++twin.count}`
  await inTransaction(twin.database, (db) => recordSent(db, one.id, { waId, acceptedAt: undefined }))
}

const fails: Act = async (twin) => {
  const one = pick(twin.random, await messagesWith(twin, unsent))
  if (!one) return
  await inTransaction(twin.database, async (db) => {
    await db.execute(sql`update outbox set state = 'failed' where message_id = ${one.id}`)
    await recordFailed(db, one.id, 'not_on_whatsapp')
  })
}

const retry: Act = async (twin) => {
  const one = pick(twin.random, await messagesWith(twin, sql`delivery_status = 'failed'`))
  if (one) await twin.call(anybody(twin), 'POST', `${base}/${one.conversationId}/messages/${one.id}/retry`)
}

const deletes: Act = async (twin) => {
  const one = pick(twin.random, await messagesWith(twin, unsent))
  if (one) await twin.call(anybody(twin), 'DELETE', `${base}/${one.conversationId}/messages/${one.id}`)
}

const tick: Act = async (twin) => {
  const one = pick(twin.random, await messagesWith(twin, sql`delivery_status in ('sent', 'delivered')`))
  const status = pick(twin.random, ['delivered', 'read', 'failed'] as const) ?? 'read'
  if (one) await twin.happens({ kind: 'delivery', waId: one.waId, status, peer: undefined })
}

const changes: Act = async (twin, clients) => {
  const one = client(twin, clients)
  const name = pick(twin.random, one.names)
  if (name === undefined) return
  const what = twin.random()
  if (what < 0.3) await twin.happens(one.person.remove(name))
  else if (what < 0.6) await twin.happens(one.person.react(name, 1, '👍'))
  else
    await twin.happens({
      kind: 'edit',
      waId: one.person.id(name),
      content: `editada ${++twin.count}`,
      editedAtMs: secondOf(twin).getTime(),
    })
}

const calls: Act = (twin, clients) => {
  const outcome = pick(twin.random, ['missed', 'answered'] as const) ?? 'missed'
  const event = client(twin, clients).person.calls(`c${++twin.count}`, 20, outcome)
  return twin.happens('sentAt' in event ? { ...event, sentAt: secondOf(twin) } : event)
}

const assign = onTalk((twin, { id }) => {
  const operatorId = pick(twin.random, [...twin.team.map((who) => who.id), null]) ?? null
  return twin.call(anybody(twin), 'PATCH', `${base}/${id}/assign-operator`, { operatorId })
})

const readUpTo = onTalk(async (twin, { id }) => {
  if (twin.random() < 0.2) return twin.call(anybody(twin), 'DELETE', `${base}/${id}/read`)
  const found = await messagesWith(twin, sql`conversation_id = ${id}`)
  const lastMessageId = pick(twin.random, found)?.id
  return lastMessageId && twin.call(anybody(twin), 'PUT', `${base}/${id}/read`, { lastMessageId })
})

const merge: Act = async (twin) => {
  const found = await rows<{ id: number }>(
    twin.database,
    sql`select id from contacts where deleted_at is null order by id`,
  )
  const [one, other] = [pick(twin.random, found), pick(twin.random, found)]
  if (one && other && one.id !== other.id)
    await twin.call(twin.team.at(-1) as Colleague, 'POST', `/api/contacts/${one.id}/merge`, {
      otherId: other.id,
    })
}

const part: Act = async (twin) => {
  const found = await rows<{ id: number }>(twin.database, sql`select id from contact_merges order by id`)
  const one = pick(twin.random, found)
  if (one) await twin.call(twin.team.at(-1) as Colleague, 'POST', `/api/contacts/merges/${one.id}/undo`)
}

const setting: Act = ({ database, random }) =>
  saveSettings(database, {
    phoneAnswersCount: random() < 0.7,
    inactivityAppliesTo: random() < 0.5 ? 'client' : 'all',
    inactivityCountsOpenHoursOnly: random() < 0.3,
    inactivityWarningMinutes: random() < 0.5 ? 0 : 5,
    autoDistributionEnabled: random() < 0.3,
  })

/** Some minutes, some hours, or a night. */
const timePasses: Act = async (twin) => {
  const draw = twin.random()
  const minutes = draw < 0.6 ? 1 + twin.random() * 34 : draw < 0.9 ? 30 + twin.random() * 180 : 840
  await twin.pass(Math.floor(minutes * 60) * 1000)
  await twin.work()
}

const reply = call(
  'POST',
  ({ id }) => `${base}/${id}/messages`,
  (twin) => ({ content: `resposta ${++twin.count}` }),
)

/** Acts with their relative frequency. */
const acts: readonly [number, Act][] = [
  [20, writes],
  [5, answersByPhone],
  [3, calls],
  [14, reply],
  [10, isSent],
  [3, fails],
  [2, retry],
  [2, deletes],
  [5, tick],
  [6, changes],
  [8, assign],
  [
    3,
    call(
      'POST',
      ({ id }) => `${base}/${id}/transfer`,
      (twin) => ({ newOperatorId: anybody(twin).id }),
    ),
  ],
  [
    6,
    call(
      'POST',
      ({ id }) => `${base}/${id}/finalize`,
      ({ random }) => ({ isUndoable: random() < 0.3 }),
    ),
  ],
  [1, call('POST', ({ id }) => `${base}/${id}/undo-finalize`, undefined, 'completed')],
  [6, readUpTo],
  [
    1,
    call(
      'PATCH',
      ({ id }) => `${base}/${id}/priority`,
      () => ({ priority: 'high' }),
    ),
  ],
  [
    1,
    call(
      'PATCH',
      ({ id }) => `${base}/${id}/toggle-auto-close`,
      ({ random }) => ({ disableAutoClose: random() < 0.5 }),
    ),
  ],
  [
    1,
    call(
      'POST',
      ({ contactId }) => `/api/contacts/${contactId}/send-message`,
      (twin) => ({ content: `primeira ${++twin.count}` }),
      'completed',
    ),
  ],
  [1, call('POST', ({ contactId }) => `/api/contacts/${contactId}/block`)],
  [1, call('POST', ({ contactId }) => `/api/contacts/${contactId}/unblock`, undefined, 'completed')],
  [0.5, call('DELETE', ({ id }) => `${base}/${id}`, undefined, 'completed')],
  [
    1,
    call(
      'POST',
      () => `${base}/take-next`,
      () => ({}),
    ),
  ],
  [1, merge],
  [1, part],
  [1, setting],
  [10, timePasses],
]

const whole = acts.reduce((sum, [weight]) => sum + weight, 0)

/** One act at random. */
export async function happenOne(twin: Twin, clients: readonly Client[]): Promise<void> {
  let left = twin.random() * whole
  for (const [weight, act] of acts) {
    left -= weight
    if (left < 0) return void (await act(twin, clients))
  }
}

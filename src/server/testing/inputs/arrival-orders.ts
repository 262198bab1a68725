import { sql } from 'drizzle-orm'
import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { saying } from '#server/testing/test-person.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { testNumber } from '#server/testing/test-app.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { permutations } from './permutations.ts'

/**
 * Histories of six events, before a client has chosen or while they are inactive, played in every order. The
 * final state must be that of the order in which they happened.
 * @see reliability F-02
 */

/** 'say' with a text; the others are acts of the client or their phone on their first message. */
type Act =
  | { kind: 'say'; text: string }
  | { kind: 'edit' }
  | { kind: 'react' }
  | { kind: 'remove' }
  | { kind: 'look' }

export interface History {
  /** Whether the conversation was answered and inactive for half an hour before: nothing may keep it open. */
  isSilent: boolean
  acts: Act[]
}

const words = ['1', '2', 'um', '2️⃣', 'oi', 'tem sacola?', 'hã?', '1 - quero', 'boa tarde', '12']
const others = ['edit', 'react', 'remove', 'look'] as const

/** @returns six events; the first is a message, so that the others have a target */
function makeHistory(random: Random, isSilent: boolean): History {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const act = (): Act => (random() < 0.75 ? { kind: 'say', text: pick(words) } : { kind: pick(others) })
  const acts = Array.from({ length: 6 }, act)
  // One of each other kind: two of the same kind would depend on their order.
  const seen = new Set<string>()
  const distinct = acts.map((one): Act => {
    if (one.kind === 'say') return one
    if (seen.has(one.kind)) return { kind: 'say', text: pick(words) }
    seen.add(one.kind)
    return one
  })
  if (!isSilent) return { isSilent, acts: [{ kind: 'say', text: pick(words) }, ...distinct.slice(1)] }
  return {
    isSilent,
    acts: [
      { kind: 'react' },
      { kind: 'look' },
      { kind: 'edit' },
      { kind: 'look' },
      { kind: 'look' },
      { kind: 'look' },
    ],
  }
}

export interface Orders {
  /** @returns the state after the events of a history arrived in this order, without ids */
  play(history: History, order: readonly number[]): Promise<string>
  /** Deletes everybody's data. */
  forget(): Promise<void>
}

/** With hundreds in the queue, each newcomer would be slow. */
const forgetEvery = 40

/** A Tuesday at ten in the morning in São Paulo. */
const tuesday = new Date('2027-03-09T10:00:00-03:00')
const stepMs = 11_000

async function openOrders(database: Database): Promise<Orders> {
  const clock = await movableClock(database)
  const instanceId = await testNumber(database)
  await database.execute(sql`update evolution_api_config set status = 'open'`)
  await saveSettings(database, { preAttendanceEnabled: true })
  await clock.set(tuesday)
  let people = 0

  const feed = (event: GatewayEvent) =>
    inTransaction(database, async (db) => {
      const [isDone] = await handleBatch(db, instanceId, [event])
      if (!isDone) await handleGatewayEvent(db, instanceId, event)
    })

  return {
    async play({ isSilent, acts }, order) {
      const phone = `55117${String(++people).padStart(8, '0')}`
      const now = (await clock.now()).getTime()
      const at = (n: number) => now - (acts.length - n) * stepMs
      const idOf = (n: number) => `o${people}-${n}`
      const target = isSilent ? 'start' : String(acts.findIndex(({ kind }) => kind === 'say'))
      const eventOf = (act: Exclude<Act, { kind: 'look' }>, n: number): GatewayEvent => {
        const waId = `o${people}-${target}`
        switch (act.kind) {
          case 'say':
            return said(phone, idOf(n), act.text, new Date(at(n)))
          case 'edit':
            return { kind: 'edit', waId, content: 'mudado', editedAtMs: at(n) }
          case 'react':
            return { kind: 'reaction', waId, emoji: '👍', from: 'contact', sentAtMs: at(n) }
          case 'remove':
            return { kind: 'delete', waId }
        }
      }
      if (isSilent) {
        await feed(said(phone, `o${people}-start`, 'oi', new Date(now - 5000)))
        await database.execute(
          sql`update conversations set status = 'active', sub_status = 'OPERADOR', waiting_for = 'client',
                     completed_at = null, pre_attendance_stage = null,
                     last_activity_at = app_now() - ${inactivityMinutes + 1} * interval '1 minute'
               where contact_id = (select id from contacts where phone = ${phone})`,
        )
      }
      for (const n of order) {
        const act = acts[n] as Act
        if (act.kind === 'look') await closeSilent(database, false)
        else await feed(eventOf(act, n))
      }
      return stateOf(database, phone)
    },
    async forget() {
      await database.execute(sql`truncate contacts cascade`)
    },
  }
}

function said(phone: string, waId: string, content: string, sentAt: Date): GatewayEvent {
  return {
    kind: 'message',
    waId,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin: 'contact',
    name: 'Cliente',
    sentAt,
    content: saying(content),
    quoted: undefined,
    isHistory: false,
  }
}

/** The conversations of a person with all of their messages, in the order of sending. */
async function stateOf(database: Database, phone: string): Promise<string> {
  const [row] = await rows<{ state: unknown }>(
    database,
    sql`select json_agg(json_build_array(v.status, v.sub_status, v.pre_attendance_stage, v.waiting_for,
               v.message_count - own.n,
               exists (select from queue_pending_conversations q
                        where q.conversation_id = v.id and q.processed_at is null),
               p.stage, p.kept, said.all) order by said.first) as state
          from contacts c join conversations v on v.contact_id = c.id
          left join lateral (select t.stage,
                                    (select json_agg(m.content order by m.sent_at) from messages m
                                      where m.id in (
                                        select jsonb_array_elements_text(t.original_message)::int)) as kept
                               from pre_attendance_temp t where t.conversation_id = v.id) p on true
          cross join lateral (select count(*)::int as n from messages m where m.conversation_id = v.id
                                 and m.sender_type = 'user' and m.message_type = 'text') own
          cross join lateral (select min(m.sent_at) as first,
                                     json_agg(json_build_array(m.content, m.deleted_at is not null,
                                       (select json_agg(r.emoji) from message_reactions r
                                         where r.message_id = m.id)) order by m.sent_at) as all
                                from messages m
                               where m.conversation_id = v.id and m.sender_type = 'contact') said
         where c.phone = ${phone}`,
  )
  return JSON.stringify(row?.state)
}

export interface Difference {
  history: History
  order: readonly number[]
  expected: string
  got: string
}

/**
 * Plays the histories of a seed in many orders.
 * @param orders number of orders of each; the first is the order in which the events happened
 */
export async function runOrders(
  database: Database,
  { histories, orders, seed }: { histories: number; orders: number; seed: number },
  onHistory: (played: number) => void = () => undefined,
): Promise<{ played: number; differences: Difference[] }> {
  const random = createRandom(seed)
  const at = await openOrders(database)
  const all = permutations([0, 1, 2, 3, 4, 5])
  const differences: Difference[] = []
  let played = 0
  for (let n = 0; n < histories; n++) {
    const history = makeHistory(random, n % 14 === 13)
    const first = all[0] as number[]
    const expected = await at.play(history, first)
    const rest = all.slice(1)
    // A shuffle, so that no order is drawn twice.
    for (let k = rest.length - 1; k > 0; k--) {
      const other = Math.floor(random() * (k + 1))
      ;[rest[k], rest[other]] = [rest[other] as number[], rest[k] as number[]]
    }
    played += 1
    for (const order of rest.slice(0, orders - 1)) {
      const got = await at.play(history, order)
      played += 1
      if (played % forgetEvery === 0) await at.forget()
      if (got !== expected) differences.push({ history, order, expected, got })
    }
    onHistory(played)
  }
  return { played, differences }
}

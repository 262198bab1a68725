import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { TwoInstances } from '../support/two-instances.ts'

export interface Phase {
  name: string
  sent: Sent[]
  /** How often the company wrote the same as one of its sends on its phone. */
  rivals: number
  stuck: string | undefined
}

export interface Sent {
  phoneId: string
  messageId: number
  text: string
}

export interface Row extends Record<string, unknown> {
  id: number
  status: string
  waId: string | null
  givenId: string | null
}

export const readSent = (at: TwoInstances) =>
  rows<Row>(
    at.database,
    sql`select m.id, m.delivery_status as status, m.whatsapp_message_id as "waId", o.given_id as "givenId"
          from messages m join outbox o on o.message_id = m.id`,
  )

/** What is wrong with a send: it arrived once, and under the id by which we know it. */
export function faultsOf(
  at: TwoInstances,
  { sent }: Phase,
  byId: Map<number, Row>,
  isGiven: boolean,
): string[] {
  const arrived = new Map<string, { phone: string; text: string; times: number }>()
  for (const { waId, phone, text, times, fromConsole } of at.simulator.control.oracle().received)
    if (fromConsole) arrived.set(waId, { phone, text, times })
  return sent.flatMap(({ phoneId, messageId, text }) => {
    const row = byId.get(messageId)
    const label = `«${text}» (${messageId}, ${row?.status})`
    if (row?.status === 'failed') return []
    if (!row?.waId) return [`${label} has no id`]
    if (isGiven && row.waId !== row.givenId) return [`${label} has ${row.waId}, and was given ${row.givenId}`]
    const copy = arrived.get(row.waId)
    arrived.delete(row.waId)
    if (copy?.phone !== phoneId || copy.text !== text) return [`${label} did not arrive as ${row.waId}`]
    return copy.times === 1 ? [] : [`${label} arrived ${copy.times} times`]
  })
}

/** A send that is given up has not arrived, or it would be one too many. */
export const failuresOf = ({ sent }: Phase, byId: Map<number, Row>): string[] =>
  sent
    .filter(({ messageId }) => byId.get(messageId)?.status === 'failed')
    .map(({ messageId, text }) => `«${text}» (${messageId}) was given up`)

/** Whatever arrived is one of the messages. */
export function surplusOf(at: TwoInstances, all: readonly Row[]): string[] {
  const known = new Set(all.map(({ waId }) => waId))
  const { received } = at.simulator.control.oracle()
  return received
    .filter(({ waId, fromConsole }) => fromConsole && !known.has(waId))
    .map(({ phone, text }) => `${phone} received «${text}» once more`)
}

/** The company's own texts are messages of their own. */
export async function rivalFaults(at: TwoInstances, { rivals }: Phase): Promise<string[]> {
  const query = sql`select count(*)::int as count from messages
                     where sender_type = 'user' and sender_id is null and message_type = 'text'
                       and not exists (select from outbox o where o.message_id = messages.id)`
  const [row] = await rows<{ count: number }>(at.database, query)
  return row?.count === rivals ? [] : [`${rivals} were written, ${row?.count} are shown`]
}

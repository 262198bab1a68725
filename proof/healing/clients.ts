import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { identityModes } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import type { Random } from '#simulator/random.ts'
import type { Result } from '../support/scenario.ts'
import { type TwoInstances, untilQuiet } from '../support/two-instances.ts'

/** Clients of every kind of address, each of whom has written once. */
export async function makeClients(at: TwoInstances, count: number): Promise<PhoneView[]> {
  const { control } = at.simulator
  const phones = Array.from({ length: count }, (_, n) =>
    control.createPhone({
      id: `c${n}`,
      name: `Cliente ${n}`,
      number: `55119${20_000_000 + n}`,
      identity: identityModes[n % identityModes.length] ?? 'pn',
    }),
  )
  for (const { id } of phones) control.sendText(id, 'oi')
  const left = await untilQuiet(at, { stuckAfterMs: 60_000 })
  if (left) throw new Error(`conversations were not opened: ${left}`)
  return phones
}

export interface Writing {
  phones: readonly PhoneView[]
  /** The number of the first message. */
  from: number
  to: number
  /** When the first and the last one are written, in milliseconds of the product's clock. */
  between: readonly [number, number]
  random: Random
}

/**
 * Clients write in turn, so that two messages of one client are seconds apart: the gateway's clock knows no
 * less. One in twenty is corrected, one in twenty deleted, and some of what was there before.
 * @returns the number of edits and deletions
 */
export function write(at: TwoInstances, { phones, from, to, between, random }: Writing): number {
  const { control } = at.simulator
  const [first, last] = between
  let changes = 0
  const change = (phoneId: string, id: string) => {
    const chosen = random()
    if (chosen >= 0.1) return
    changes++
    if (chosen < 0.05) control.edit(phoneId, id, `corrigida ${id}`)
    else control.remove(phoneId, id)
  }
  for (let n = from; n < to; n++) {
    const phone = phones[n % phones.length]
    if (!phone) throw new Error('no clients')
    const earlier = control.chat(phone.id).findLast((message) => message.from === 'phone' && !message.deleted)
    const written = new Date(first + ((last - first) * (n - from)) / (to - from)).toISOString()
    const { id } = control.send(phone.id, { kind: 'text', text: `mensagem ${n}`, at: written })
    change(phone.id, id)
    if (earlier && random() < 0.2) change(phone.id, earlier.id)
  }
  return changes
}

interface Stored extends Record<string, unknown> {
  waId: string
  contactId: number
  content: string
  isDeleted: boolean
  isRecovered: boolean
}

export const readStored = (at: TwoInstances) =>
  rows<Stored>(
    at.database,
    sql`select m.whatsapp_message_id as "waId", c.contact_id as "contactId", m.content,
               m.deleted_at is not null as "isDeleted", m.metadata ? 'recovered' as "isRecovered"
          from messages m join conversations c on c.id = m.conversation_id
         where m.sender_type = 'contact' order by c.contact_id, m.sort_at, m.id`,
  )

/** Compares each phone with what is stored of it. */
export function compare(
  at: TwoInstances,
  phones: readonly PhoneView[],
  stored: Stored[],
  when: string,
): Result[] {
  const { control } = at.simulator
  const byContact = Map.groupBy(stored, ({ contactId }) => contactId)
  const byId = new Map(stored.map((row) => [row.waId, row]))
  const [lost, order, changed]: [string[], string[], string[]] = [[], [], []]
  let written = 0
  for (const phone of phones) {
    const own = control.chat(phone.id, 10_000).filter(({ from }) => from === 'phone')
    written += own.length
    for (const message of own) {
      const row = byId.get(message.id)
      if (!row) lost.push(`${phone.identity}: «${message.text}» is missing`)
      else if (row.isDeleted !== message.deleted)
        changed.push(`${phone.identity}: ${message.id} is not deleted`)
      else if (!message.deleted && row.content !== message.text)
        changed.push(`${phone.identity}: «${row.content}» instead of «${message.text}»`)
    }
    const contactId = own[0] && byId.get(own[0].id)?.contactId
    const there = (byContact.get(contactId ?? -1) ?? []).map(({ waId }) => waId)
    if (there.join() !== own.map(({ id }) => id).join())
      order.push(`${phone.identity}: another order, or two contacts`)
  }
  const doubled = stored.length - byId.size
  return [
    { property: `${when}: every message is there`, checked: written, faults: lost },
    {
      property: `${when}: none is there twice`,
      checked: stored.length,
      faults: doubled > 0 || stored.length > written ? [`${stored.length} of ${written} stored`] : [],
    },
    {
      property: `${when}: each client's are in order, under one contact`,
      checked: phones.length,
      faults: order,
    },
    { property: `${when}: edits and deletions are there`, checked: written, faults: changed },
  ]
}

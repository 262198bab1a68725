import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import type { Client, Colleague, Note, Office } from './office.ts'
import type { Tally } from './tally.ts'

/** One client's conversations, of which nobody else does anything. */
export interface Desk {
  office: Office
  client: Client
  random: Random
  tally: Tally
}

interface Talk extends Record<string, unknown> {
  id: number
  status: string
}

export const pick = <Item>(random: Random, from: readonly Item[]): Item | undefined =>
  from[Math.floor(random() * from.length)]

export const anybody = ({ office, random }: Desk) => pick(random, office.team) as Colleague
export const adminOf = ({ team }: Office) => team.at(-1) as Colleague

/** The client's conversations, the newest first. */
export const talksOf = ({ office, client }: Desk) =>
  rows<Talk>(
    office.database,
    sql`select id, status from conversations where contact_id = ${client.contactId}
         order by id desc limit 20`,
  )

export const openOf = async (desk: Desk) => (await talksOf(desk)).find(({ status }) => status !== 'completed')

/** Of the newest notes one, also a deleted one; where there is one, mostly of this conversation. */
export function someNote({ client, random }: Desk, openId?: number): Note | undefined {
  const here = client.notes.filter(({ conversationId }) => conversationId === openId)
  return pick(random, (here.length > 0 && random() < 0.7 ? here : client.notes).slice(-30))
}

export const textOf = (mark: string, random: Random) =>
  pick(random, [`${mark} pode dar 8 % de desconto`, `*${mark}*`, `atenção\n${mark} 😀`, mark]) ?? mark

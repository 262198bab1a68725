import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { TwoInstances } from '../support/two-instances.ts'

/** Compares the goodbyes received by each phone with the closed conversations of its client. */
export async function countGoodbyes(
  at: TwoInstances,
  goodbye: string,
): Promise<{ closed: number; received: number; faults: string[] }> {
  const found = await rows<{ number: string; n: number }>(
    at.database,
    sql`select k.phone as number, count(*)::int as n from conversations c join contacts k
        on k.id = c.contact_id
         where exists (select from messages m where m.conversation_id = c.id
                          and m.metadata #>> '{event,act}' = 'closed_by_inactivity') group by k.phone`,
  )
  const closed = new Map(found.map(({ number, n }) => [number, n]))
  const received = new Map<string, number>()
  for (const { text, phoneNumber, times } of at.simulator.control.oracle().received)
    if (text === goodbye) received.set(phoneNumber, (received.get(phoneNumber) ?? 0) + times)
  const numbers = new Set([...closed.keys(), ...received.keys()])
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)
  return {
    closed: sum(closed),
    received: sum(received),
    faults: [...numbers]
      .filter((number) => closed.get(number) !== received.get(number))
      .map((number) => `${number}: ${closed.get(number) ?? 0} closed, ${received.get(number) ?? 0} goodbyes`),
  }
}

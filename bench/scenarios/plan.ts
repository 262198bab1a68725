import type { Scenario } from '../rounds.ts'
import type { Side, Stage } from '../stage.ts'

/** What the command line says of every scenario. */
export interface Plan {
  /** Of one measurement inside a slice. */
  sliceMs: number
  /** Of a shift. */
  shiftMs: number
  /** So many messages before the memory is weighed again. */
  manyMessages: number
}

export type MakeScenario = (stage: Stage, plan: Plan) => Scenario

const unprocessed = `select count(*)::int as n from webhook_inbox
  where processed_at is null and dead_reason is null and instance_id is not null`

/** Until what was acknowledged stands in `messages`. */
export async function drained({ db }: Side, withinMs = 120_000): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { rows } = await db.query<{ n: number }>(unprocessed)
    if (rows[0]?.n === 0) return
    if (performance.now() > deadline) throw new Error(`a entrada parou com ${rows[0]?.n} eventos`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** So many that a slice lasts as long as it should, by what the last one of the side came to. */
export function createSizer(first: number, sliceMs: number) {
  const rates = new Map<string, number>()
  return {
    countFor: (side: string) => Math.max(20, Math.round(((rates.get(side) ?? first) * sliceMs) / 1000)),
    note: (side: string, perSecond: number) => void rates.set(side, perSecond),
  }
}

/** One number out of the database. */
export async function one({ db }: Side, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ n: number }>(statement, values)
  return Number(rows[0]?.n)
}

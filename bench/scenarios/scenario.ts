import type { Scenario } from '../rounds.ts'
import type { Side, Environment } from '../environment/environment.ts'

/** Options of the command line that apply to every scenario. */
export interface ScenarioOptions {
  /** Length of one measurement within a slice, in milliseconds. */
  sliceMs: number
  /** Length of a shift, in milliseconds. */
  shiftMs: number
  /** How many messages are received before memory is measured again. */
  manyMessages: number
}

export type CreateScenario = (environment: Environment, options: ScenarioOptions) => Scenario

const unprocessed = `select count(*)::int as n from webhook_inbox
  where processed_at is null and dead_reason is null and instance_id is not null`

/** Resolves when everything acknowledged is stored in `messages`. */
export async function drained({ db }: Side, withinMs = 120_000): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const { rows } = await db.query<{ n: number }>(unprocessed)
    if (rows[0]?.n === 0) return
    if (performance.now() > deadline) throw new Error(`the inbox stopped at ${rows[0]?.n} events`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** How many calls fill a slice, given the rate of the side's last slice. */
export function createSizer(first: number, sliceMs: number) {
  const rates = new Map<string, number>()
  return {
    countFor: (side: string) => Math.max(20, Math.round(((rates.get(side) ?? first) * sliceMs) / 1000)),
    note: (side: string, perSecond: number) => void rates.set(side, perSecond),
  }
}

/** The column `n` of a statement's first row. */
export async function queryNumber({ db }: Side, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ n: number }>(statement, values)
  return Number(rows[0]?.n)
}

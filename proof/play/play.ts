import { defineScenario, type Result } from '../support/scenario.ts'
import { checkDay, type Invariant, invariants } from './check/checker.ts'
import { figuresOf, formatFigures, quantile } from './check/figures.ts'
import { secondMs, wallTime } from './plan/day.ts'
import { type DayPlan, planDay } from './plan/plan.ts'
import { playDay } from './players/player.ts'

function formatPlan(plan: DayPlan): string {
  const { seed, outage, restart, isDistributed, capacity, warningMinutes } = plan
  return (
    `seed ${seed}: ${plan.clients.length} clients, ${plan.operators.length} operators; gateway away from ` +
    `${wallTime(outage.fromMs)} to ${wallTime(outage.toMs)}, the product from ` +
    `${wallTime(restart.fromMs)} to ${wallTime(restart.toMs)}; ` +
    `queue ${isDistributed ? 'distributed' : 'taken'}, busy with ${capacity}, ` +
    `${warningMinutes ? `warning of inactivity ${warningMinutes} min before` : 'no warning of inactivity'}`
  )
}

/**
 * Plays a day from 08:00 to 19:00 on a virtual clock, with the real code and a real database: clients who
 * choose, write, wait, fall silent and rate; operators with shifts, lunch and pauses; 40 minutes without the
 * gateway and a restart of the product. What phones and operators observed is checked against the invariants
 * of any day. `seeds` is the number of days, with consecutive seeds.
 * @see decisions §3, reliability F-24
 */
export const play = defineScenario({
  options: { clients: 300, operators: 8, seeds: 1 },
  nightly: { seeds: 2 },

  arrange({ options: { clients, operators, seeds, seed } }) {
    const days = Array.from({ length: seeds }, (_, n) => planDay(seed + n, { clients, operators }))
    return Promise.resolve(days)
  },

  async act(plans, { print, defer }) {
    const broken = new Map<Invariant, string[]>()
    for (const plan of plans) {
      const isAlone = plans.length === 1
      if (isAlone) print(formatPlan(plan))
      const startMs = performance.now()
      const day = await playDay(plan, defer)
      const seconds = Math.round((performance.now() - startMs) / secondMs)
      const figures = figuresOf(day)
      if (isAlone) formatFigures(figures).forEach(print)
      let found = 0
      for (const [name, faults] of checkDay(day)) {
        const known = broken.get(name) ?? []
        broken.set(name, [...known, ...faults.map((fault) => `seed ${plan.seed}: ${fault}`)])
        found += faults.length
      }
      const longest = Math.max(...figures.queue.map((one) => one.longest))
      const waitMinutes = (quantile(figures.waits, 0.9) / 60_000).toFixed(0)
      print(
        `seed ${plan.seed}: ${day.written.length} messages, ${day.got.length} texts and replies, ` +
          `${day.positions.length} positions, queue up to ${longest}, wait p90 ${waitMinutes} min, ` +
          `${found} faults, ${seconds} s`,
      )
    }
    return broken
  },

  check(broken, plans): Result[] {
    return (Object.keys(invariants) as Invariant[]).map((property) => ({
      property,
      checked: plans.length,
      faults: broken.get(property) ?? [],
    }))
  },
})

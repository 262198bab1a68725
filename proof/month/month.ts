import type { MaintenancePlan } from '#shared/maintenance/maintenance-plan.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { createRandom } from '#simulator/random.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { check } from './check.ts'
import { type Company, startCompany } from './company.ts'
import { measure, type Measured, type Month } from './measure.ts'
import { night } from './night.ts'
import { printSizes } from './print.ts'
import { workDay } from './work-day.ts'

/** Beyond the longest time that anything is kept which is trimmed. */
const quietNights = 4
const quietDaysEach = 26

const plan: MaintenancePlan = {
  isBackupScheduled: true,
  backupTime: '23:00',
  backupsKept: 3,
  mediaDays: null,
  textDays: null,
  inboxDays: null,
  auditDays: null,
}
const shortPeriods = { mediaDays: 5, textDays: 5, inboxDays: 7, auditDays: 180 }

async function live(
  company: Company,
  { days, clients, seed, print }: { days: number; clients: number; seed: number; print(line: string): void },
): Promise<Omit<Month, 'hasRetention'>> {
  const { name, program } = company
  const random = createRandom(seed)
  const measured: Measured[] = []
  for (let day = 0; day < days; day++) {
    const startedAt = performance.now()
    await workDay(company, { day, clients, random })
    await night(company, day)
    const now = await measure(company)
    measured.push(now)
    print(
      `  ${name}, day ${day + 1}: ${now.tables['messages']?.rows} messages, ${now.rss.toFixed(0)} MiB, ` +
        `heap ${now.heap.toFixed(1)} MiB, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    )
  }
  for (let n = 1; n <= quietNights; n++) await night(company, days + n * quietDaysEach)
  return { name, days: measured, quiet: await measure(company), errors: [...program.seen.examples.values()] }
}

/**
 * A busy team works for a month on a virtual clock, in two installations side by side, one of which keeps
 * everything and one of which has periods: clients write and are answered, files come, contacts are imported
 * and merged, people sign in and out, the gateway fails; each night there are a backup, the deletions and all
 * jobs. Then nobody writes for a while. Every table, every folder and the memory of the program is measured
 * each night, and judged by what `maintenance/growth.ts` says of it.
 */
export const month = defineScenario({
  options: { days: 30, clients: 70 },
  nightly: { days: 14, clients: 30 },

  async arrange({ defer }) {
    const server = await startOwnServer({ settings: { autovacuum_naptime: '1s' } })
    defer(() => server.close())
    await server.query('create role balcao login')
    const start = (name: string, more: Partial<MaintenancePlan>) =>
      startCompany(server, { name, plan: { ...plan, ...more }, defer })
    return { keeping: await start('keeping', {}), forgetting: await start('forgetting', shortPeriods) }
  },

  async act({ keeping, forgetting }, { options: { days, clients, seed }, print }): Promise<Month[]> {
    const all = { days, clients, seed, print }
    const [first, second] = await Promise.all([live(keeping, all), live(forgetting, all)])
    return [
      { ...first, hasRetention: false },
      { ...second, hasRetention: true },
    ]
  },

  check(months, _at, { print }): Result[] {
    for (const one of months) printSizes(one, print)
    return months.flatMap(check)
  },
})

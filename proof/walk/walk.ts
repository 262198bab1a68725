import { migrateDatabase } from '#server/platform/database/db.ts'
import { defineScenario } from '../support/scenario.ts'
import { startThrowawayDatabase } from '../support/throwaway-database.ts'
import { broughtBy, type Failure, runWalks } from './run-walks.ts'

/** The fault with the preceding acts, and the command that repeats this walk alone. */
const formatFailure = ({ seed, step, acts, differences }: Failure, steps: number): string =>
  `seed ${seed}, step ${step} (npm run proof -- walk --walks 1 --steps ${steps} --seed ${seed}): ` +
  `${differences.join(' | ')}; before: ${acts.join(' · ')}`

/**
 * Random walks over the real app with headless browsers, whose caches must always equal a fresh fetch. Every
 * type of live event must occur.
 */
export const walk = defineScenario({
  options: { walks: 2000, steps: 30 },
  nightly: { walks: 200 },

  async arrange({ defer }) {
    const { database, close } = await startThrowawayDatabase('walk', 10)
    defer(close)
    await migrateDatabase(database)
    return database
  },

  act(database, { options: { walks, steps, seed }, print, seconds }) {
    return runWalks(database, {
      walks,
      steps,
      seed,
      onWalk(done, failure) {
        if (failure) print(`✗ ${formatFailure(failure, steps)}`)
        if (done % 25 === 0) print(`  ${done} walks in ${seconds()} s`)
      },
    })
  },

  check({ seen, steps, compared, failures, neverSeen }, _database, { options, print }) {
    for (const [type, times] of [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      print(`  ${type.padEnd(32)}${String(times).padStart(9)}`)
    print(`${steps} steps`)
    return [
      {
        property: 'the cache equals a fresh fetch',
        checked: compared,
        faults: failures.map((failure) => formatFailure(failure, options.steps)),
      },
      {
        property: 'every live event occurred',
        checked: seen.size,
        faults: neverSeen.map((type) => `${type}: never seen, though '${broughtBy[type]}' should bring it`),
      },
    ]
  },
})

import { defineScenario } from '../support/scenario.ts'
import { describeLevel, drawLevels, type Level } from './levels.ts'
import { type Place, startPlace } from './place.ts'
import { createTally } from './tally.ts'
import { furnish, workAt } from './work.ts'

/** In megabytes. */
const diskSizes = { beside: 480, with: 800 }
/** Of the levels, one in so many has the database on the disk, too. */
const oneInHasDatabase = 3

interface Plan {
  hasDatabase: boolean
  levels: Level[]
}

/**
 * Messages with files arrive, an operator sends files, and backups are made, restored and brought in, on a
 * disk that another program has filled: at first only with files and backups on it, then with the embedded
 * database, too. At each level what cannot be done is reported, and nothing half is left; then there is space
 * again, and everything works.
 */
export const diskFull = defineScenario({
  options: { levels: 30 },
  nightly: { levels: 5 },

  arrange({ options: { levels }, random }): Promise<Plan[]> {
    const withDatabase = Math.ceil(levels / oneInHasDatabase)
    return Promise.resolve([
      { hasDatabase: false, levels: drawLevels(random, levels - withDatabase, false) },
      { hasDatabase: true, levels: drawLevels(random, withDatabase, true) },
    ])
  },

  async act(plans, { random, print, defer, seconds }) {
    let now = ''
    const tally = createTally(() => now)
    const places: Place[] = []
    for (const { hasDatabase, levels } of plans) {
      if (levels.length === 0) continue
      const closes: (() => unknown)[] = []
      const closeAll = async () => {
        for (let close = closes.pop(); close; close = closes.pop()) await close()
      }
      defer(closeAll)
      const later = (close: () => unknown) => void closes.push(close)
      const megabytes = hasDatabase ? diskSizes.with : diskSizes.beside
      const shop = await furnish(await startPlace(hasDatabase, megabytes, later), later)
      places.push(shop)
      for (const [n, level] of levels.entries()) {
        now = `${hasDatabase ? 'database' : 'files'} ${n}, ${describeLevel(level)}`
        const tag = `${hasDatabase ? 'b' : 'a'}${n}`
        const outcome = await workAt(shop, level, { tag, n, random, tally })
        print(`  ${now}: ${outcome} [${seconds()} s]`)
      }
      await closeAll()
    }
    return { places, tally }
  },

  check({ places, tally }, _plans, { print }) {
    const answers = new Map<number, number>()
    const trouble: string[] = []
    for (const { program, answers: own } of places) {
      for (const [status, count] of own) answers.set(status, (answers.get(status) ?? 0) + count)
      const { exits, unhandled, errors, examples } = program.seen
      if (exits > 0) trouble.push(`the program ended ${exits} times`)
      if (unhandled > 0) trouble.push(`${unhandled} unhandled errors`)
      for (const [message, count] of errors) print(`  log: ${message} × ${count}`)
      if (errors.has('request failed')) trouble.push(examples.get('request failed') ?? '')
    }
    print(`  answers: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    return [
      {
        property: 'every call is answered: 507 and 503 with their sentences, and no other refusal',
        checked: [...answers.values()].reduce((sum, count) => sum + count, 0),
        faults: places.flatMap(({ faults }) => faults),
      },
      ...tally.results(),
      { property: 'the program runs on, with no unhandled error', checked: places.length, faults: trouble },
    ]
  },
})

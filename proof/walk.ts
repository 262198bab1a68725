import { migrateDatabase } from '#server/platform/db.ts'
import { readOptions, say } from './command.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'
import { broughtBy, type Failure, runWalks } from './walk/walk.ts'

/**
 * `npm run walk -- --walks 2000 --steps 30 --seed 1`: random walks over the real app with headless browsers, whose caches
 * must equal a fresh fetch after whatever was pushed to them. Every type of live event must have been met.
 */
const { walks, steps, seed } = readOptions({ walks: 2000, steps: 30 })

function tell({ seed: itsSeed, step, acts, differences }: Failure): void {
  say(`\n✗ semente ${itsSeed}, passo ${step}: o cache difere do que uma busca nova responde`)
  for (const line of differences) say(`    ${line}`)
  say(`  antes disso: ${acts.join(' · ')}`)
  say(`  repetir: npm run walk -- --walks 1 --steps ${steps} --seed ${itsSeed}`)
}

const { database, close } = await startThrowawayDatabase('walk', 10)
let isGood = false
try {
  await migrateDatabase(database)
  say(`${walks} passeios de ${steps} passos, semente ${seed}`)
  const startMs = performance.now()
  const seconds = () => (performance.now() - startMs) / 1000
  const report = await runWalks(database, {
    walks,
    steps,
    seed,
    onWalk(done, failure) {
      if (failure) tell(failure)
      if (done % 25 === 0) say(`${done} passeios em ${seconds().toFixed(0)} s`)
    },
  })
  say('\neventos vistos:')
  for (const [type, times] of [...report.seen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${type.padEnd(32)}${String(times).padStart(9)}`)
  for (const type of report.neverSeen)
    say(`✗ ${type}: nunca visto, embora devesse vir de '${broughtBy[type]}'`)
  const rate = (report.steps / seconds()).toFixed(0)
  say(
    `\n${walks} passeios, ${report.steps} passos, ${report.compared} comparações em ${seconds().toFixed(0)} s (${rate} passos/s), semente ${seed}`,
  )
  say(`passeios em que o cache difere da busca: ${report.failures.length}`)
  isGood = report.failures.length === 0 && report.neverSeen.length === 0
} finally {
  await close()
}
process.exitCode = isGood ? 0 : 1

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateDatabase, openDatabase } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { readOptions, say } from './command.ts'
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

const dataDir = mkdtempSync(join(tmpdir(), 'balcao-walk-db-'))
// The account that the server runs as must reach its folder.
if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
const embedded = await startEmbeddedPostgres({ dataDir, durable: false })
const database = openDatabase({ connection: embedded.connection, log: createLog('silent'), poolSize: 10 })
let isGood = false
const end = async () => {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))
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
  await database.close()
  await end()
}
process.exitCode = isGood ? 0 : 1

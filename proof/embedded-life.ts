import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { type Case, type Ground, makeGround } from './embedded-life/case.ts'
import { demoCases } from './embedded-life/demo.ts'
import { firstStartCases } from './embedded-life/first-start.ts'
import { guardCases } from './embedded-life/guards.ts'
import { killCases } from './embedded-life/kills.ts'
import { packageCases } from './embedded-life/packages.ts'
import { pidFileCases } from './embedded-life/pid-files.ts'
import { placeCases } from './embedded-life/places.ts'
import { stopCases } from './embedded-life/stops.ts'
import { togetherCases } from './embedded-life/together.ts'

/**
 * `npm run embedded-life`: the whole life of the embedded server with real processes and real kills, each case in a
 * folder of its own, one line a case. `--only palavra` runs what has the word in its name, `--program` only what needs
 * the whole program over HTTP, `--rounds 50` repeats longer, `--seed` repeats the same random moments.
 */
const asked = readOptions({ only: '', program: false, rounds: 4 })

const { seed } = asked

const all: Case[] = [
  ...placeCases,
  ...guardCases,
  ...packageCases,
  ...pidFileCases,
  ...firstStartCases,
  ...togetherCases,
  ...stopCases,
  ...killCases,
  ...demoCases,
]
const only = asked.only.toLowerCase()
const chosen = all
  .filter((each) => !asked.program || each.isProgram)
  .filter((each) => !only || each.name.toLowerCase().includes(only))
const width = Math.max(0, ...chosen.map(({ name }) => name.length))

let standing: Ground | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    // Servers outlive their programs, so an interrupted proof would leave some behind.
    const cleared = standing?.clear() ?? Promise.resolve()
    void cleared.finally(() => process.exit(130))
  })

/** Runs one case and tells its figure, or, as a failure, why it does not hold. */
async function holds(each: Case): Promise<boolean> {
  const ground = makeGround(createRandom(seed), asked.rounds)
  standing = ground
  const start = performance.now()
  const tell = (verdict: string, figure: string): void =>
    say(`${verdict}  ${each.name.padEnd(width)}  ${figure} [${Math.round(performance.now() - start)} ms]`)
  try {
    const figure = await each.run(ground)
    await ground.clear()
    tell('ok    ', figure)
    return true
  } catch (error) {
    tell('FALHOU', onOneLine(error))
    await ground.clear().catch((left: unknown) => say(`        ficou para trás: ${onOneLine(left)}`))
    return false
  }
}

/** What went wrong, and in which line of the proof. */
function onOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /embedded-life\/(\S+:\d+):\d+/.exec(error.stack ?? '')?.[1]
  return `${error.message.replaceAll(/\s+/g, ' ').slice(0, 400)} (${place})`
}

say(`semente ${seed}, ${asked.rounds} rodadas, ${chosen.length} casos`)
const isRoot = process.getuid?.() === 0
let passed = 0
let failed = 0
let left = 0
for (const each of chosen) {
  if (each.needsRoot && !isRoot) {
    left += 1
    say(`--      ${each.name.padEnd(width)}  não executado: precisa de root`)
  } else if (await holds(each)) passed += 1
  else failed += 1
}
say(`\n${passed} passed, ${failed} failed${left > 0 ? `, ${left} não executados` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

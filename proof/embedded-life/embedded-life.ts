import { createRandom } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { type Case, type CaseEnvironment, createCaseEnvironment } from './case.ts'
import { demoCases } from './cases/demo.ts'
import { diskCases } from './cases/disks.ts'
import { firstStartCases } from './cases/first-start.ts'
import { togetherCases } from './cases/together.ts'

const all: readonly Case[] = [...diskCases, ...firstStartCases, ...togetherCases, ...demoCases]

interface Life {
  cases: Case[]
  /** Cases that need root, if this process is not root. */
  skipped: Case[]
  /** The resources of the running case. */
  current: CaseEnvironment | undefined
}

/** The error on one line, with its position in the proof's source. */
function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /embedded-life\/(\S+:\d+):\d+/.exec(error.stack ?? '')?.[1]
  return `${error.message.replaceAll(/\s+/g, ' ').slice(0, 400)} (${place})`
}

/**
 * What a test does once at one moment, the embedded server goes through here at many: first starts that are
 * interrupted at any time, thirty at once, ends from the terminal, and disks that are read-only or full. Each
 * case has its own folder and one line of output. `only` selects the cases with that word in their name;
 * `rounds` sets the number of repetitions.
 */
export const embeddedLife = defineScenario({
  options: { only: '', rounds: 4 },
  nightly: {},

  arrange({ options, print, defer }): Promise<Life> {
    const word = options.only.toLowerCase()
    const chosen = all.filter((each) => each.name.toLowerCase().includes(word))
    const isRoot = process.getuid?.() === 0
    const isSkipped = (each: Case) => each.needsRoot === true && !isRoot
    const skipped = chosen.filter(isSkipped)
    for (const { name } of skipped) print(`--      ${name}: not run, needs root`)
    const life: Life = { cases: chosen.filter((each) => !isSkipped(each)), skipped, current: undefined }
    defer(() => life.current?.clear())
    return Promise.resolve(life)
  },

  async act(life, { options: { seed, rounds }, print }) {
    const failed = new Map<Case, string>()
    const width = Math.max(0, ...life.cases.map(({ name }) => name.length))
    for (const each of life.cases) {
      // Every case draws the same numbers, whichever others run.
      const environment = createCaseEnvironment(createRandom(seed), rounds)
      life.current = environment
      const start = performance.now()
      const printCase = (verdict: string, figure: string) =>
        print(
          `${verdict}  ${each.name.padEnd(width)}  ${figure} [${Math.round(performance.now() - start)} ms]`,
        )
      try {
        const figure = await each.run(environment)
        await environment.clear()
        printCase('ok    ', figure)
      } catch (error) {
        failed.set(each, formatError(error))
        printCase('FAILED', formatError(error))
        await environment.clear().catch((left: unknown) => print(`        left behind: ${formatError(left)}`))
      }
    }
    life.current = undefined
    return failed
  },

  check: (failed, { cases }) =>
    cases.map((each) => {
      const fault = failed.get(each)
      return { property: each.name, checked: 1, faults: fault === undefined ? [] : [fault] }
    }),
})

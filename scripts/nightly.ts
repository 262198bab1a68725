import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { catalog } from '../proof/catalog.ts'
import { alignColumns } from '../proof/support/table.ts'

// `npm run nightly`: the checks that take too long for continuous integration. `--only` and `--skip` take
// names of steps.

const root = join(import.meta.dirname, '..')

interface Step {
  name: string
  script: string
  args: string[]
  env?: Record<string, string>
  /** The exit code of a step whose requirements are missing on this machine. */
  unavailable?: number
}

const vitest = 'node_modules/.bin/vitest'
const proof = (name: string, ...more: string[]) => ({
  script: 'proof/run.ts',
  args: [name, '--nightly', ...more],
  unavailable: 2,
})

const steps: Step[] = [
  // The proofs start what was built, and 'canary' searches its pages.
  { name: 'build', script: 'scripts/build.ts', args: [] },
  { name: 'postgres', script: 'scripts/test-postgres.ts', args: ['--version', '15'], unavailable: 2 },
  {
    name: 'whole',
    script: vitest,
    args: ['run', '--project', '!main'],
    env: { TESTS: 'whole' },
  },
  {
    name: 'browser',
    script: vitest,
    args: ['run', '--config', 'e2e/vitest.config.ts'],
    env: { E2E: 'full' },
  },
  ...catalog.map(({ name }) => ({ name, ...proof(name) })),
  { name: 'reconnect-2.4', ...proof('reconnect', '--release', '2.4') },
  { name: 'chaos-postgres', ...proof('chaos', '--engine', 'postgres') },
]

function chooseSteps(): Step[] {
  const { values } = parseArgs({ options: { only: { type: 'string' }, skip: { type: 'string' } } })
  const namesIn = (list: string | undefined) => list?.split(',').map((name) => name.trim())
  const only = namesIn(values.only)
  const skip = namesIn(values.skip) ?? []
  const known = steps.map(({ name }) => name)
  const unknown = [...(only ?? []), ...skip].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. Steps: ${known.join(', ')}`)
    process.exit(2)
  }
  return steps.filter(({ name }) => (only?.includes(name) ?? true) && !skip.includes(name))
}

/** Runs a step under the Node of this process. @returns its exit code, or the signal that ended it */
async function run({ script, args, env }: Step): Promise<number | string> {
  const path = dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '')
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
    stdio: 'inherit',
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return code ?? signal ?? 'lost'
}

const table = [['step', 'verdict', 'exit', 'seconds']]
let [passed, failed] = [0, 0]
for (const step of chooseSteps()) {
  console.log(`\n== ${step.name}`)
  const startedAt = performance.now()
  const code = await run(step)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const isUnavailable = code === step.unavailable
  const verdict = code === 0 ? 'passed' : isUnavailable ? 'not run' : 'FAILED'
  if (code === 0) passed++
  else if (!isUnavailable) failed++
  table.push([step.name, verdict, String(code), seconds])
}
console.log(`\n${alignColumns(table).join('\n')}\n\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

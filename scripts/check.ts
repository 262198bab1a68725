import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

// The complete check, the same on a developer's machine and in continuous integration.

const root = join(import.meta.dirname, '..')

/** A step of the check. `holds` resolves to false after it has printed why. */
interface Step {
  name: string
  holds: () => Promise<boolean>
}

/** Runs a script under the Node of this process, which is not the one in PATH. */
async function run(script: string, ...args: string[]): Promise<boolean> {
  const env = { ...process.env, PATH: dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '') }
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

const tool = (name: string, ...args: string[]) => run(join('node_modules/.bin', name), ...args)

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** Changed and new files. The other steps must not add to them. */
const uncommitted = () => ({ status: git('status', '--porcelain'), diff: git('diff') })

const before = uncommitted()

async function leftNothing(): Promise<boolean> {
  const after = uncommitted()
  if (after.status === before.status && after.diff === before.diff) return true
  console.log(`The steps before this one changed files:\n${after.status}`)
  return false
}

const steps: Step[] = [
  { name: 'types', holds: () => tool('tsc', '-b') },
  { name: 'lint', holds: () => tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', holds: () => tool('oxfmt', '--check') },
  { name: 'dead-code', holds: () => tool('knip') },
  { name: 'spec-texts', holds: () => run('scripts/spec-texts.ts') },
  { name: 'tests', holds: () => tool('vitest', 'run') },
  { name: 'matrix', holds: () => run('proof/run.ts', 'matrix', '--others', '6') },
  { name: 'browser', holds: () => tool('vitest', 'run', '--config', 'e2e/vitest.config.ts') },
  { name: 'boot', holds: () => run('scripts/boot-check.ts') },
  { name: 'clean-diff', holds: leftNothing },
]

function chosenSteps(): Step[] {
  const { values } = parseArgs({ options: { only: { type: 'string' }, skip: { type: 'string' } } })
  const named = (list: string | undefined) => list?.split(',').map((name) => name.trim())
  const only = named(values.only)
  const skip = named(values.skip) ?? []
  const known = steps.map((step) => step.name)
  const unknown = [...(only ?? []), ...skip].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. Steps: ${known.join(', ')}`)
    process.exit(2)
  }
  return steps.filter(({ name }) => (only?.includes(name) ?? true) && !skip.includes(name))
}

const results: string[] = []
let failed = 0
for (const { name, holds } of chosenSteps()) {
  console.log(`\n== ${name}`)
  const started = performance.now()
  const passed = await holds()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const line = `${passed ? 'passed' : 'FAILED'}  ${name.padEnd(10)} ${seconds} s`
  if (!passed) failed += 1
  results.push(line)
  console.log(`== ${line}`)
}
console.log(`\n${results.join('\n')}\n\n${results.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { changedSince, chooseTests, furtherTests, mergedCommit } from './choose-tests.ts'
import { mainPath } from './main-path.ts'

// The complete check, the same on a developer's machine and in continuous integration. What only looks at
// the sources runs beside what runs the product. Which tests of the server run besides those of `npm test`
// follows from what has changed since the last merge; `--since COMMIT` takes another commit, `--since none`
// runs all.

const root = join(import.meta.dirname, '..')

/** What a step said, and whether what it checks holds. */
interface Outcome {
  holds: boolean
  said: string
  /** Of the step and the programs that it has started. */
  processorSeconds: number
}

interface Step {
  name: string
  run: () => Promise<Outcome>
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, skip: { type: 'string' }, since: { type: 'string' } },
})
if (values.since !== undefined) process.env['SINCE'] = values.since

/** The shell reports the processor time of all that it has waited for. */
const measured = 'TIMEFORMAT=\'processor seconds: %U %S\'; time "$@"'

/** Runs a script under the Node of this process, which is not the one in PATH. */
async function run(script: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, PATH: dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '') }
  const command = ['-c', measured, 'bash', process.execPath, script, ...args]
  const child = spawn('bash', command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const [code] = (await once(child, 'close')) as [number | null]
  const text = said.join('')
  const [, user = '0', system = '0'] = /(?:^|\n)processor seconds: ([\d.]+) ([\d.]+)\s*$/.exec(text) ?? []
  return {
    holds: code === 0,
    said: text.replace(/(^|\n)processor seconds: .*\s*$/, '$1'),
    processorSeconds: Number(user) + Number(system),
  }
}

const tool = (name: string, ...args: string[]) => run(join('node_modules/.bin', name), ...args)
const says = (holds: boolean, said: string): Outcome => ({ holds, said, processorSeconds: 0 })

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

/** Changed and new files. The steps must not add to them. */
const uncommitted = () => ({ status: git('status', '--porcelain'), diff: git('diff') })

const before = uncommitted()

async function leftNothing(): Promise<Outcome> {
  const after = uncommitted()
  if (after.status === before.status && after.diff === before.diff) return says(true, '')
  return says(false, `The steps before this one changed files:\n${after.status}`)
}

/** The server's tests that the changes concern; each with its reason. */
async function changedRooms(): Promise<Outcome> {
  const further = furtherTests(mainPath)
  const commit = mergedCommit()
  const chosen = commit
    ? chooseTests(changedSince(commit), further)
    : further.map((file) => ({ file, because: 'the commit that was merged last is not known here' }))
  const reported = [
    `${chosen.length} of ${further.length} test files of the server, by what has changed since ${commit}:`,
    ...chosen.map(({ file, because }) => `  ${file}: ${because}`),
    '',
  ].join('\n')
  if (chosen.length === 0) return says(true, reported)
  const outcome = await run(
    'node_modules/.bin/vitest',
    'run',
    '--project',
    'server*',
    ...chosen.map(({ file }) => file),
  )
  return { ...outcome, said: `${reported}${outcome.said}` }
}

/** What `npm test` runs. */
const always = ['main', 'pure', 'components'].flatMap((name) => ['--project', name])

/** Who needs the built pages and server waits until they are there. */
const built = Promise.withResolvers<void>()
async function build(): Promise<Outcome> {
  try {
    return await run('scripts/build.ts')
  } finally {
    built.resolve()
  }
}
const onceBuilt = (step: () => Promise<Outcome>) => () => built.promise.then(step)

/** Each list is run in its order, beside the other. */
const ofSources: Step[] = [
  { name: 'build', run: build },
  { name: 'types', run: () => tool('tsc', '-b') },
  { name: 'lint', run: () => tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'format', run: () => tool('oxfmt', '--check') },
  { name: 'dead-code', run: () => tool('knip') },
  { name: 'spec-texts', run: () => run('scripts/spec-texts.ts') },
  { name: 'boot', run: () => run('scripts/boot-check.ts') },
]
const ofProduct: Step[] = [
  { name: 'tests', run: () => tool('vitest', 'run', ...always) },
  { name: 'rooms', run: changedRooms },
  { name: 'matrix', run: () => run('proof/run.ts', 'matrix', '--others', '6') },
  { name: 'browser', run: onceBuilt(() => tool('vitest', 'run', '--config', 'e2e/vitest.config.ts')) },
]
const last: Step[] = [{ name: 'clean-diff', run: leftNothing }]

function chosenSteps(): (step: Step) => boolean {
  const named = (list: string | undefined) => list?.split(',').map((name) => name.trim())
  const only = named(values.only)
  const skip = named(values.skip) ?? []
  const known = [...ofSources, ...ofProduct, ...last].map(({ name }) => name)
  const unknown = [...(only ?? []), ...skip].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. Steps: ${known.join(', ')}`)
    process.exit(2)
  }
  return ({ name }) => (only?.includes(name) ?? true) && !skip.includes(name)
}

const isChosen = chosenSteps()
if (!ofSources.filter(isChosen).some(({ name }) => name === 'build')) built.resolve()
const results: string[] = []
let failed = 0

async function runEach(steps: readonly Step[]): Promise<void> {
  for (const step of steps.filter(isChosen)) {
    const startedAt = performance.now()
    const { holds, said, processorSeconds } = await step.run()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const line =
      `${holds ? 'passed' : 'FAILED'}  ${step.name.padEnd(10)} ${seconds.padStart(6)} s` +
      `  ${processorSeconds.toFixed(1).padStart(6)} processor seconds`
    console.log(`\n== ${step.name}\n${said}== ${line}`)
    if (!holds) failed += 1
    results.push(line)
  }
}

const startedAt = performance.now()
// A single core gains nothing from what runs beside.
if (availableParallelism() > 1) await Promise.all([runEach(ofSources), runEach(ofProduct)])
else await runEach([...ofSources, ...ofProduct])
await runEach(last)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
console.log(`\n${results.join('\n')}\n\n${results.length - failed} passed, ${failed} failed, in ${seconds} s`)
process.exitCode = failed > 0 ? 1 : 0

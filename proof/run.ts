import { createRandom } from '#simulator/random.ts'
import { catalog } from './catalog.ts'
import type { CatalogEntry } from './support/catalog-entry.ts'
import { formatOptions, readOptions } from './support/options.ts'
import { type Context, MissingProgram, type Result, type Scenario } from './support/scenario.ts'
import { formatResults, allPassed } from './support/table.ts'

// `npm run proof` lists the proofs; `npm run proof -- races --rounds 500 --seed 7` runs one of them. With
// `--nightly`, options that are not given have the values of the nightly run.

// A proof makes the calls of many people by one.
process.env.CALLS_PER_MINUTE ??= '0'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The ledger: what each proof shows, what it has found, and what would be lost without it. */
function list(): void {
  for (const { name, takes, shows, found, without } of catalog) {
    print(`${name} (${takes}): ${shows}`)
    for (const fault of found) print(`  found: ${fault}`)
    print(`  without it: ${without}\n`)
  }
  print('Run one: npm run proof -- NAME [--seed N] [options]. Its options: npm run proof -- NAME --help')
}

/** Collects what a scenario opens, and closes it once. */
function createClosing(): { defer: (close: () => unknown) => void; closeAll: () => Promise<void> } {
  const closes: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const closeEach = async () => {
    for (let close = closes.pop(); close; close = closes.pop()) await close()
  }
  return { defer: (close) => void closes.push(close), closeAll: () => (closing ??= closeEach()) }
}

/** With what caused it: an error of the database has the reason only there. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const words = error.stack ?? error.message
  return error.cause instanceof Error ? `${words}\ncaused by ${wordsOf(error.cause)}` : words
}

async function runScenario(scenario: Scenario, context: Context<Scenario['options']>): Promise<Result[]> {
  try {
    const environment = await scenario.arrange(context)
    const observed = await scenario.act(environment, context)
    return await scenario.check(observed, environment, context)
  } catch (error) {
    if (error instanceof MissingProgram) throw error
    return [{ property: 'the proof runs to its end', checked: 1, faults: [wordsOf(error)] }]
  }
}

/** @returns the exit code: 0 passed, 1 failed, 2 could not be run here */
async function prove({ name, load }: CatalogEntry, args: string[]): Promise<number> {
  const scenario = await load()
  const defaults = scenario.options
  if (args.includes('--help')) {
    for (const [option, value] of Object.entries({ ...defaults, seed: 'any' })) print(`--${option} ${value}`)
    return 0
  }
  const isNightly = args.includes('--nightly')
  const wanted = { ...defaults, ...(isNightly && scenario.nightly) } as Scenario['options']
  const options = readOptions(
    wanted,
    args.filter((arg) => arg !== '--nightly'),
  )
  const again = `npm run proof -- ${name} ${formatOptions(options, defaults)}`
  print(again)
  const { defer, closeAll } = createClosing()
  // Otherwise an interrupted proof would leave servers running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeAll().finally(() => process.exit(130)))
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const random = createRandom(options.seed)
  const results = await runScenario(scenario, { options, random, print, defer, seconds }).catch(
    (error: unknown) => error as MissingProgram,
  )
  await closeAll()
  if (results instanceof MissingProgram) {
    print(`${name} not run: ${results.message}`)
    return 2
  }
  print('')
  for (const line of formatResults(results)) print(line)
  const faults = results.reduce((sum, result) => sum + result.faults.length, 0)
  const hasPassed = allPassed(results)
  print(`\nagain: ${again}`)
  print(
    `${name} ${hasPassed ? 'passed' : 'FAILED'}: ` +
      `${results.length} properties, ${faults} faults, ${seconds()} s`,
  )
  return hasPassed ? 0 : 1
}

const [name, ...args] = process.argv.slice(2)
const entry = catalog.find((one) => one.name === name)
if (entry) process.exit(await prove(entry, args))
if (name !== undefined) print(`There is no proof '${name}'.\n`)
list()
process.exitCode = name === undefined ? 0 : 2

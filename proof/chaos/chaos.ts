import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { createUser } from '#server/users/users.ts'
import { createRandom } from '#simulator/random.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { checkEvidence } from './check/checker.ts'
import { faultKinds } from './check/compare.ts'
import { type Console, createConsole, type Person } from './console.ts'
import { type CycleResult, runCycles } from './cycles.ts'
import { catchUp, checkPages, gatherEvidence, waitUntilQuiet } from './check/evidence.ts'
import { type Environment, startEnvironment } from './environment.ts'
import { startLoad } from './load.ts'
import { answerAfterMs, type Cycle, type Engine, planCycles } from './plan.ts'
import { formatCycles, formatEvidence } from './check/report.ts'
import { openTab, type Tab } from './tab.ts'
import type { GivenOptions } from '../support/options.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'

const defaults = {
  engine: 'embedded',
  cycles: 60,
  /** Minutes of load before the first cycle. With `--cycles 0` nothing is killed. */
  minutes: 0,
  /** Messages a second from phones, and the same number of replies. */
  rate: 20,
  /** One webhook in this many is delivered twice. */
  duplicates: 10,
  phones: 40,
  keep: false,
}
type Options = GivenOptions<typeof defaults>

interface Chaos extends Environment {
  simulator: Simulator
  folder: string
  phones: string[]
  /** Log lines of webhooks refused with a status after which the gateway does not retry. */
  refusals: string[]
  /** How many webhooks the gateway gave up after ten attempts, which nobody can know here. */
  givenUp: number
}

function isEngine(engine: string): engine is Engine {
  return engine === 'embedded' || engine === 'postgres'
}

function startGateway(chaos: Omit<Chaos, 'simulator'>, seed: number): Promise<Simulator> {
  const { folder, phones, refusals } = chaos
  return startSimulator({
    apiKey: `chave-${folder.slice(-6)}`,
    instanceName: 'loja',
    journalFile: join(folder, 'celulares.jsonl'),
    seed,
    log: (line) => {
      if (line.includes('não será repetido')) refusals.push(line)
      if (line.includes('desistiu após')) chaos.givenUp++
    },
    seedPhones: phones.map((id, n) => ({
      id,
      name: `Cliente ${n + 1}`,
      number: `55119${String(90_000_000 + n * 7919).slice(0, 8)}`,
      autoRead: true,
    })),
  })
}

/** Creates operators, the gateway connection, and a first message from every phone. */
async function fill(chaos: Chaos, at: Console, duplicates: number): Promise<Person[]> {
  const { database, simulator, phones } = chaos
  const password = 'senha-de-operador-1'
  for (const username of ['ana', 'bruno', 'carla']) {
    const person = { username, email: `${username}@loja.example`, name: username, password }
    await createUser(database, { ...person, role: 'operator' })
  }
  await at.connectGateway(simulator)
  // The default rate limit of a number is ten messages a second, which the load exceeds.
  await database.execute(sql`update evolution_api_config set pace_per_second = 500`)
  const { control } = simulator
  control.setFaults({
    duplicateWebhook: { on: true, oneIn: duplicates },
    reorderWebhook: { on: true, oneIn: 8, holdMs: 400 },
    // Without an echo, only the gateway's record shows whether a message was sent.
    dropWebhook: { on: true, oneIn: 3, events: ['send.message'] },
    timeoutDelivered: { on: true, oneIn: 1, hangMs: answerAfterMs, echo: 'late' },
  })
  for (const phone of phones) control.sendText(phone, `olá de ${phone}`, `${phone}-0`)
  return Promise.all(['ana', 'bruno', 'carla'].map((username) => at.signIn(username, password)))
}

/** After this many cycles the programs may catch up. */
const stretch = 30

async function runAll(chaos: Chaos, cycles: Cycle[], print: (line: string) => void): Promise<CycleResult[]> {
  const results: CycleResult[] = []
  let caughtUpMs = 0
  for (let from = 0; from < cycles.length; from += stretch) {
    if (from > 0) caughtUpMs += await catchUp(chaos)
    await runStretch(chaos, cycles.slice(from, from + stretch), (result) => {
      results.push(result)
      if (results.length % 10 === 0) print(`  ${results.length} of ${cycles.length} cycles`)
    })
  }
  if (caughtUpMs > 0) print(`  catching up took ${Math.round(caughtUpMs / 1000)} s in all`)
  return results
}

/** Each program runs its share of the cycles; two programs start half a cycle apart. */
async function runStretch(chaos: Chaos, cycles: Cycle[], note: (result: CycleResult) => void): Promise<void> {
  const shares = chaos.programs.map((_, turn) =>
    cycles.filter((_cycle, n) => n % chaos.programs.length === turn),
  )
  const ends = await Promise.allSettled(
    chaos.programs.map(async (program, turn) => {
      await sleep(turn * 1100)
      await runCycles(chaos, program, shares[turn] ?? [], note)
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** After the last poll of the event log, the sockets have received everything. */
async function settle(chaos: Chaos, tabs: Tab[], print: (line: string) => void): Promise<void> {
  await waitUntilQuiet(chaos, chaos.simulator.control, print)
  for (const tab of tabs) await tab.settled()
  await sleep(2500)
  for (const tab of tabs) tab.close()
}

const faultTitles: Record<(typeof faultKinds)[number], string> = {
  lost: 'nothing is lost',
  doubled: 'nothing is doubled',
  stale: 'nobody keeps an older state',
  unexpected: 'nothing is there that nobody caused',
  'out of order': 'conversations arrive in their order',
  stuck: 'nothing stays under way',
}

/**
 * Kills the program, its database or both with SIGKILL, at the points of the delivery path and at random
 * moments, while phones write and operators reply. With `engine` 'postgres', two programs work on one
 * PostgreSQL server, are killed in turn, and lose the database in the middle of statements. At the end,
 * acknowledgements, the database, the phones and the sockets must agree. The same seed repeats the same
 * cycles and moments.
 */
export const chaos = defineScenario({
  options: defaults,
  nightly: { cycles: 60 },

  async arrange({ options, print, defer }): Promise<Chaos> {
    const { engine, seed } = options
    if (!isEngine(engine)) throw new Error('--engine takes embedded or postgres')
    const { dataDir: folder } = makeTemporaryFolder('chaos')
    const environment = await startEnvironment(engine, folder)
    defer(environment.close)
    print(`  ${environment.server}; fsync on; data in ${folder}`)
    const phones = Array.from({ length: options.phones }, (_, n) => `celular-${n + 1}`)
    const parts = { ...environment, folder, phones, refusals: [], givenUp: 0 }
    const chaos: Chaos = Object.assign(parts, { simulator: await startGateway(parts, seed) })
    defer(() => chaos.simulator.close())
    return chaos
  },

  async act(chaos, { options, random, print, seconds }) {
    const { rate, cycles, minutes, seed, duplicates } = options as Options
    const engine = options.engine as Engine
    const { control } = chaos.simulator
    const at = createConsole(chaos.url)
    const operators = await fill(chaos, at, duplicates)
    const [ana, bruno] = operators
    if (!ana || !bruno) throw new Error('operators are missing')
    const tabs = [openTab('ana', at, ana), openTab('bruno', at, bruno)]
    for (const tab of tabs) await tab.settled()
    const load = startLoad({ at, control, operators, phones: chaos.phones, rate, random })
    await sleep(minutes * 60_000)
    const results = await runAll(chaos, planCycles(engine, cycles, createRandom(seed + 1)), print)
    const answers = await load.stop()
    print(`  ${seconds()} s; waiting until nothing is under way`)
    await settle(chaos, tabs, print)
    const transcripts = tabs.map((tab) => tab.transcript)
    const evidence = await gatherEvidence({
      environment: chaos,
      control,
      at,
      operator: ana,
      answers,
      transcripts,
    })
    return { evidence, results }
  },

  async check({ evidence, results }, chaos, { options, print }): Promise<Result[]> {
    const { folder, givenUp, refusals } = chaos
    if (givenUp > 0) print(`  the gateway gave up ${givenUp} webhooks: read receipts are not checked`)
    const verdict = checkEvidence(givenUp > 0 ? { ...evidence, ticks: new Map() } : evidence)
    const pages = await checkPages(chaos)
    for (const line of [...formatCycles(results), ...formatEvidence(verdict, evidence)]) print(line)
    if (!pages) print('  amcheck is not available on this server')
    const checked = verdict.written + verdict.answered
    const all: Result[] = [
      ...faultKinds.map((kind) => ({
        property: faultTitles[kind],
        checked,
        faults: verdict.faults.filter((fault) => fault.kind === kind).map(({ what }) => what),
      })),
      { property: 'no webhook is refused for good', checked: evidence.accepted.size, faults: refusals },
    ]
    if (pages)
      all.push({
        property: 'amcheck finds no damage in indexes and tables',
        checked: pages.indexes + pages.tables,
        faults: pages.damages,
      })
    if (all.some(({ faults }) => faults.length > 0)) {
      writeFileSync(join(folder, 'sockets.json'), JSON.stringify(evidence.transcripts))
      print(`  the data is kept in ${folder}`)
    } else if (!options.keep) {
      await chaos.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return all
  },
})

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { createUser } from '#server/users/users.ts'
import { createRandom } from '#simulator/random.ts'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { judge } from './chaos/checker.ts'
import { type Console, createConsole, type Person } from './chaos/console.ts'
import { type CycleResult, runCycles } from './chaos/cycles.ts'
import { catchUp, checkPages, gatherEvidence, waitUntilQuiet } from './chaos/evidence.ts'
import { type Ground, makeGround } from './chaos/ground.ts'
import { startLoad } from './chaos/load.ts'
import { answerAfterMs, type Cycle, type Engine, planCycles } from './chaos/plan.ts'
import { cycleLines, verdictLines } from './chaos/report.ts'
import { openTab } from './chaos/tab.ts'
import { readOptions, say } from './command.ts'

/**
 * `npm run chaos -- --engine embedded --cycles 60`: ends the program, its database or both with SIGKILL, at the points
 * of the delivery path and at random moments, while phones write and operators answer. With `--engine postgres` two
 * programs work on one PostgreSQL, are killed in turn, and lose the database in the middle of statements. At the end
 * what was answered, what is stored, what phones received and what sockets were told must be one story. `--seed`
 * repeats the same cycles, hits and moments.
 */
const asked = readOptions({
  engine: 'embedded',
  cycles: 60,
  /** Messages a second that phones write, and as many that operators answer. */
  rate: 20,
  /** One webhook in so many comes twice. */
  duplicates: 10,
  phones: 40,
  keep: false,
})
if (asked.engine !== 'embedded' && asked.engine !== 'postgres')
  throw new Error('--engine: use embedded ou postgres')
const engine: Engine = asked.engine
const { seed } = asked
const random = createRandom(seed)
const phones = Array.from({ length: asked.phones }, (_, n) => `celular-${n + 1}`)
const folder = mkdtempSync(join(tmpdir(), 'balcao-caos-'))
// Started as root, the database runs as another account, which must be able to pass through.
chmodSync(folder, 0o711)

/** Webhooks that we answered so that the gateway never repeats them. */
const refusals: string[] = []
/** Webhooks that the gateway tried ten times: what they told, nobody here can know. */
let givenUp = 0

function startGateway(): Promise<Simulator> {
  return startSimulator({
    apiKey: `chave-${folder.slice(-6)}`,
    instanceName: 'loja',
    journalFile: join(folder, 'celulares.jsonl'),
    seed,
    log: (line) => {
      if (line.includes('não será repetido')) refusals.push(line)
      if (line.includes('desistiu após')) givenUp++
    },
    seedPhones: phones.map((id, n) => ({
      id,
      name: `Cliente ${n + 1}`,
      number: `55119${String(90_000_000 + n * 7919).slice(0, 8)}`,
      autoRead: true,
    })),
  })
}

/** Operators, the gateway's connection, and a first word of everybody, so that there is somebody to answer. */
async function furnish(ground: Ground, at: Console, simulator: Simulator): Promise<Person[]> {
  const password = 'senha-de-operador-1'
  for (const username of ['ana', 'bruno', 'carla']) {
    const person = { username, email: `${username}@loja.example`, name: username, password }
    await createUser(ground.database, { ...person, role: 'operator' })
  }
  await at.connectGateway(simulator)
  // The pace of a number is ten a second for people; here they write more than that.
  await ground.database.execute(sql`update evolution_api_config set pace_per_second = 500`)
  const { control } = simulator
  control.setFaults({
    duplicateWebhook: { on: true, oneIn: asked.duplicates },
    reorderWebhook: { on: true, oneIn: 8, holdMs: 400 },
    // Without an echo only the gateway's record can say what became of a message.
    dropWebhook: { on: true, oneIn: 3, events: ['send.message'] },
    timeoutDelivered: { on: true, oneIn: 1, hangMs: answerAfterMs, echo: 'late' },
  })
  for (const phone of phones) control.sendText(phone, `olá de ${phone}`, `${phone}-0`)
  return Promise.all(['ana', 'bruno', 'carla'].map((username) => at.signIn(username, password)))
}

/** So many cycles, and then the programs catch up. */
const stretch = 30

async function runAll(ground: Ground, cycles: Cycle[]): Promise<CycleResult[]> {
  const results: CycleResult[] = []
  let caughtUpMs = 0
  for (let from = 0; from < cycles.length; from += stretch) {
    if (from > 0) caughtUpMs += await catchUp(ground)
    await runStretch(ground, cycles.slice(from, from + stretch), (result) => {
      results.push(result)
      if (results.length % 10 === 0) say(`  ${results.length} de ${cycles.length} ciclos`)
    })
  }
  if (caughtUpMs > 0) say(`  respiros: ${Math.round(caughtUpMs / 1000)} s ao todo`)
  return results
}

/** Each program goes through its own share of the cycles; two of them start half a cycle apart. */
async function runStretch(
  ground: Ground,
  cycles: Cycle[],
  note: (result: CycleResult) => void,
): Promise<void> {
  const shares = ground.programs.map((_, turn) =>
    cycles.filter((_cycle, n) => n % ground.programs.length === turn),
  )
  const ends = await Promise.allSettled(
    ground.programs.map(async (program, turn) => {
      await sleep(turn * 1100)
      await runCycles(ground, program, shares[turn] ?? [], note)
    }),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function run(ground: Ground, simulator: Simulator): Promise<boolean> {
  const { control } = simulator
  const at = createConsole(ground.url)
  const operators = await furnish(ground, at, simulator)
  const [ana, bruno] = operators
  if (!ana || !bruno) throw new Error('faltam operadores')
  const tabs = [openTab('ana', at, ana), openTab('bruno', at, bruno)]
  for (const tab of tabs) await tab.settled()
  const load = startLoad({ at, control, operators, phones, rate: asked.rate, random })
  const start = performance.now()
  const results = await runAll(ground, planCycles(engine, asked.cycles, createRandom(seed + 1)))
  const answers = await load.stop()
  say(`  ${Math.round((performance.now() - start) / 1000)} s; espera até que nada esteja em andamento`)
  await waitUntilQuiet(ground, control, say)
  for (const tab of tabs) await tab.settled()
  // The poll of the event log is the truth that comes last.
  await sleep(2500)
  for (const tab of tabs) tab.close()
  const transcripts = tabs.map((tab) => tab.transcript)
  const evidence = await gatherEvidence({ ground, control, at, operator: ana, answers, transcripts })
  if (givenUp > 0) say(`  o gateway desistiu de ${givenUp} webhooks: as marcas de leitura não são julgadas`)
  const verdict = judge(givenUp > 0 ? { ...evidence, ticks: new Map() } : evidence)
  const pages = await checkPages(ground)
  for (const what of refusals) verdict.faults.push({ kind: 'lost', what: `webhook recusado: ${what}` })
  for (const what of pages?.damages ?? []) verdict.faults.push({ kind: 'unexpected', what: `dano: ${what}` })
  for (const line of [...cycleLines(results), ...verdictLines(verdict, evidence)]) say(line)
  say(
    pages
      ? `  amcheck: ${pages.indexes} índices e ${pages.tables} tabelas, ${pages.damages.length} danos`
      : '  amcheck: não disponível neste servidor',
  )
  if (verdict.faults.length === 0) return true
  const notes = transcripts.map(({ name, notes: told }) => ({ name, told }))
  writeFileSync(join(folder, 'sockets.json'), JSON.stringify(notes))
  return false
}

say(
  `caos: semente ${seed}, ${engine}, ${asked.cycles} ciclos, ${asked.rate}/s em cada direção, ${phones.length} celulares`,
)
let isGood = false
try {
  const ground = await makeGround(engine, folder)
  // Servers outlive their programs, so an interrupted proof would leave some behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void ground.close().finally(() => process.exit(130)))
  say(`  ${ground.server}; fsync ligado`)
  const simulator = await startGateway()
  try {
    isGood = await run(ground, simulator)
  } finally {
    await simulator.close()
    await ground.close()
  }
} catch (error) {
  isGood = false
  say(`  FALHA ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
if (isGood && !asked.keep) rmSync(folder, { recursive: true, force: true })
say(
  isGood
    ? `Tudo confere (semente ${seed}).`
    : `FALHOU: repita com --seed ${seed}; os dados ficam em ${folder}`,
)
process.exit(isGood ? 0 : 1)

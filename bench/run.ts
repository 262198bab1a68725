import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { hasLanded, type Outcome, outcomeOf, toldOf } from './report.ts'
import { play } from './rounds.ts'
import { fanout } from './scenarios/fanout.ts'
import { ingest } from './scenarios/ingest.ts'
import { kill } from './scenarios/kill.ts'
import { lists } from './scenarios/lists.ts'
import { liveList } from './scenarios/live-list.ts'
import { messages } from './scenarios/messages.ts'
import type { MakeScenario, Plan } from './scenarios/plan.ts'
import { reply } from './scenarios/reply.ts'
import { shift } from './scenarios/shift.ts'
import { start } from './scenarios/start.ts'
import { web } from './scenarios/web.ts'
import { openStage } from './stage.ts'

/**
 * `npm run bench -- ingest fanout reply shift start`: our product against a floor server that does the bare work, on one
 * PostgreSQL, with one data set and one load generator (this process), in rounds. Only ratios and checks decide.
 * @see quality/performance.md
 */
const scenarios: Record<string, MakeScenario> = {
  lists,
  messages,
  ingest,
  fanout,
  reply,
  shift,
  start,
  kill,
  web,
  'live-list': liveList,
}
const sizes: Record<string, number> = { '1k': 1000, '10k': 10_000, '100k': 100_000 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    size: { type: 'string', default: '10k' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Of one measurement within a slice. */
    seconds: { type: 'string', default: '1.5' },
    shift: { type: 'string', default: '60' },
    messages: { type: 'string', default: '50000' },
    /** A server of one's own, as its superuser; the two databases are removed at the end. */
    postgres: { type: 'string' },
    /** A folder for the processor profile of our process; the costliest statements and functions are printed. */
    profile: { type: 'string' },
    json: { type: 'string' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const named = positionals.length > 0 ? positionals : Object.keys(scenarios)
// What is felt in a browser is the chat and the list beside it; the list changes the data, and comes last.
const chosen = [...new Set(named.flatMap((name) => (name === 'web' ? ['web', 'live-list'] : [name])))]
const unknown = chosen.filter((name) => !(name in scenarios))
const conversations = sizes[values.size]
if (unknown.length > 0 || conversations === undefined) {
  say(
    `Não há ${unknown.join(', ') || `tamanho ${values.size}`}. Cenários: ${Object.keys(scenarios).join(' ')}; tamanhos: ${Object.keys(sizes).join(' ')}`,
  )
  process.exit(2)
}

const plan: Plan = {
  sliceMs: Number(values.seconds) * 1000,
  shiftMs: Number(values.shift) * 1000,
  manyMessages: Number(values.messages),
}
const seed = Number(values.seed)
say(
  `semente ${seed}, ${values.size} conversas, ${cpus().length} núcleos, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, carga ${(loadavg()[0] ?? 0).toFixed(1)} antes de começar`,
)
if (!process.env['BENCH_PEERS']) say('sem BENCH_PEERS: nenhum outro produto ao lado')

const stage = await openStage({
  size: { conversations, messagesEach: 20, longest: 20_000 },
  seed,
  postgresUrl: values.postgres,
  say,
  profileDir: values.profile,
})
const outcomes: Outcome[] = []
try {
  for (const name of chosen) {
    const scenario = (scenarios[name] as MakeScenario)(stage, plan)
    say(`\n${scenario.title}`)
    const outcome = outcomeOf(scenario, await play(scenario, Number(values.rounds), say))
    outcomes.push(outcome)
    for (const line of toldOf(outcome, scenario.figures)) say(line)
  }
  for (const line of await stage.costs()) say(line)
} finally {
  await stage.close()
}
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ seed, size: values.size, outcomes }, null, 2)}\n`)
const fallen = outcomes.filter((outcome) => !hasLanded(outcome)).map(({ name }) => name)
say(
  fallen.length === 0
    ? '\ntudo o que tinha de ser atingido foi'
    : `\nficou aquém: ${fallen.join(', ')} (semente ${seed})`,
)
process.exitCode = fallen.length === 0 ? 0 : 1

import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { planningAim } from './environment/costs.ts'
import { openEnvironment } from './environment/environment.ts'
import { formatJudgements, formatOutcome, judge, type Outcome, outcomeOf } from './report.ts'
import { measure, spreadOf } from './rounds.ts'
import { archive, archiveBurst } from './scenarios/archive/archive.ts'
import { fanout } from './scenarios/fanout.ts'
import { ingest } from './scenarios/ingest.ts'
import { lists } from './scenarios/lists.ts'
import { liveList } from './scenarios/live-list.ts'
import { messages } from './scenarios/messages.ts'
import { reply } from './scenarios/reply.ts'
import { sectors } from './scenarios/sectors/sectors.ts'
import type { CreateScenario, ScenarioOptions } from './scenarios/scenario.ts'
import { shift, shiftPolls } from './scenarios/shift.ts'
import { start } from './scenarios/start.ts'
import { views } from './scenarios/views.ts'
import { web } from './scenarios/web.ts'

// `npm run bench -- ingest fanout reply shift start` compares the product with a floor server that does only
// the necessary work, in rounds, on one PostgreSQL server, with the same data and load generator (this
// process). Quote ratios, not absolute times.

const scenarios: Record<string, CreateScenario> = {
  lists,
  archive,
  'archive-burst': archiveBurst,
  messages,
  ingest,
  fanout,
  reply,
  shift,
  'shift-polls': shiftPolls,
  start,
  web,
  'live-list': liveList,
  sectors,
  views,
}
/** Names that run several scenarios. 'live-list' changes the data and therefore comes last. */
const groups: Record<string, string[]> = {
  shift: ['shift', 'shift-polls'],
  web: ['web', 'live-list'],
  archive: ['archive', 'archive-burst'],
}
const sizes: Record<string, number> = { '1k': 1000, '10k': 10_000, '100k': 100_000 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    size: { type: 'string', default: '10k' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Seconds of each measurement within a slice. */
    seconds: { type: 'string', default: '1.5' },
    /** Seconds of each shift. */
    shift: { type: 'string', default: '60' },
    /** Messages received before memory is measured again. */
    messages: { type: 'string', default: '50000' },
    /** The superuser's address on a running server; the two databases are removed at the end. */
    postgres: { type: 'string' },
    /** A folder for the product's CPU profile; the costliest statements and functions are printed. */
    profile: { type: 'string' },
    json: { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const named = positionals.length > 0 ? positionals : Object.keys(scenarios)
const chosen = [...new Set(named.flatMap((name) => groups[name] ?? [name]))]
const unknown = chosen.filter((name) => !(name in scenarios))
const conversations = sizes[values.size]
if (unknown.length > 0 || conversations === undefined) {
  print(
    `Unknown: ${unknown.join(', ') || `size ${values.size}`}. ` +
      `Scenarios: ${Object.keys(scenarios).join(' ')}; sizes: ${Object.keys(sizes).join(' ')}`,
  )
  process.exit(2)
}

const options: ScenarioOptions = {
  sliceMs: Number(values.seconds) * 1000,
  shiftMs: Number(values.shift) * 1000,
  manyMessages: Number(values.messages),
}
const seed = Number(values.seed)
const memory = Math.round(totalmem() / 2 ** 30)
const load = (loadavg()[0] ?? 0).toFixed(1)
print(
  `seed ${seed}, ${values.size} conversations, ${cpus().length} cores, ${memory} GB, ` +
    `Node ${process.version}, load ${load} before the start`,
)
if (!process.env['BENCH_PEERS']) print('BENCH_PEERS is not set: no other product beside')

const environment = await openEnvironment({
  size: { conversations, messagesEach: 20, longest: 20_000 },
  seed,
  postgresUrl: values.postgres,
  print,
  profileDir: values.profile,
})
const outcomes: Outcome[] = []
const judgements: Outcome['judgements'] = []
let planning: Awaited<ReturnType<typeof environment.planning>>
try {
  for (const name of chosen) {
    const scenario = (scenarios[name] as CreateScenario)(environment, options)
    print(`\n${scenario.title}`)
    const outcome = outcomeOf(scenario, await measure(scenario, Number(values.rounds), print))
    outcomes.push(outcome)
    judgements.push(...outcome.judgements)
    for (const line of formatOutcome(outcome)) print(line)
  }
  planning = await environment.planning()
  if (planning) {
    const { planMs, executeMs, statements } = planning
    print(
      `\nPostgreSQL, whole run: ${statements} statements of the product, planning ${planMs.toFixed(0)} ms, ` +
        `executing ${executeMs.toFixed(0)} ms, planning ÷ executing ${(planMs / executeMs).toFixed(3)}`,
    )
    const ours = spreadOf([planMs / executeMs])
    judgements.push(judge('whole run', planningAim, { value: planningAim.most }, { ours, ratio: undefined }))
  } else print('\nPostgreSQL: pg_stat_statements with track_planning is not loaded, planning is not measured')
  for (const line of await environment.profile()) print(line)
} finally {
  await environment.close()
}
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ seed, size: values.size, planning, outcomes }, null, 2)}\n`)
const again = [
  'npm run bench --',
  ...process.argv.slice(2),
  ...(process.argv.includes('--seed') ? [] : [`--seed ${seed}`]),
].join(' ')
for (const line of formatJudgements(judgements, again)) print(line)
process.exitCode = judgements.every(({ isReached }) => isReached) ? 0 : 1

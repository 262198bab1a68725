import { readOptions, say } from './command.ts'
import { type Invariant, judgeDay } from './play/checker.ts'
import { secondMs, wallTime } from './play/day.ts'
import { figuresOf, linesOf, quantile } from './play/figures.ts'
import type { Observed } from './play/observed.ts'
import { type DayPlan, planDay } from './play/plan.ts'
import { playDay } from './play/player.ts'

/**
 * `npm run play -- dia-cheio --seed 7`: a day from 08:00 to 19:00 on a virtual clock, with 300 clients who choose, write,
 * wait, fall silent and rate, eight operators with shifts, lunch and pauses, 40 minutes without the gateway and a restart of
 * ours; on the real database and the real code, with phones that note what they get. What was seen is held against what
 * must hold of any day. `--seeds 50` plays so many, one after the other, from that seed on.
 * @see decisions §3, reliability F-24
 */
const [scene, ...rest] = process.argv.slice(2)
if (scene !== 'dia-cheio') throw new TypeError('diga o que encenar: npm run play -- dia-cheio')
const { clients, operators, seeds, seed } = readOptions({ clients: 300, operators: 8, seeds: 1 }, rest)

const totals = new Map<Invariant, number>()

function tellPlan({ seed: own, outage, restart, isDistributed, capacity, warningMinutes }: DayPlan): void {
  say(
    `dia cheio, semente ${own}: ${clients} clientes, ${operators} operadores; gateway fora das ${wallTime(outage.fromMs)} às ` +
      `${wallTime(outage.toMs)}, nós das ${wallTime(restart.fromMs)} às ${wallTime(restart.toMs)}; ` +
      `${isDistributed ? 'fila distribuída' : 'fila assumida'}, ocupado com ${capacity}, ` +
      `${warningMinutes ? `aviso de silêncio ${warningMinutes} min antes` : 'sem aviso de silêncio'}`,
  )
}

/** @returns how many faults were found */
function tellVerdict(day: Observed, isBrief: boolean): number {
  let sum = 0
  for (const [name, faults] of judgeDay(day)) {
    sum += faults.length
    totals.set(name, (totals.get(name) ?? 0) + faults.length)
    if (!isBrief || faults.length > 0) say(`  ${String(faults.length).padStart(4)} × ${name}`)
    for (const fault of faults.slice(0, 10)) say(`         ${fault}`)
  }
  return sum
}

async function playSeed(own: number): Promise<number> {
  const isBrief = seeds > 1
  const plan = planDay(own, { clients, operators })
  if (!isBrief) tellPlan(plan)
  const startMs = performance.now()
  const day = await playDay(plan)
  const seconds = Math.round((performance.now() - startMs) / secondMs)
  const figures = figuresOf(day)
  if (!isBrief) {
    for (const line of linesOf(figures)) say(line)
    say('o que tem de valer, e quantas vezes não valeu:')
  }
  const faults = tellVerdict(day, isBrief)
  const longest = Math.max(...figures.queue.map((one) => one.longest))
  const waitMinutes = (quantile(figures.waits, 0.9) / 60_000).toFixed(0)
  say(
    `semente ${own}: ${day.written.length} mensagens, ${day.got.length} textos e respostas, ${day.told.length} posições, ` +
      `fila até ${longest}, espera p90 ${waitMinutes} min, ${faults} falhas, ${seconds} s`,
  )
  return faults
}

let found = 0
for (let n = 0; n < seeds; n++) found += await playSeed(seed + n)
if (seeds > 1) {
  say(`${seeds} dias:`)
  for (const [name, count] of totals) say(`  ${String(count).padStart(4)} × ${name}`)
}
say(found === 0 ? 'Tudo o que tem de valer valeu.' : `${found} falhas`)
process.exitCode = found === 0 ? 0 : 1

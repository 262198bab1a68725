import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Comparison, faultTitles } from './compare.ts'
import { createConsole, type Console } from './console-client.ts'
import { Program } from './program.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { readStored, waitUntilQuiet } from './stored.ts'

/**
 * `npm run sim -- --phones 40 --minutes 1 --rate 20`: drives a demonstration without a browser. Phones write, operators
 * answer, and at the end the simulator's oracle log and the database must agree, message for message. With `--kills 10`
 * it starts the program itself and ends it with SIGKILL at random moments, starting it again each time.
 */
const asked = readOptions({
  phones: 40,
  minutes: 1,
  /** Messages a second that phones write; operators answer half as many. */
  rate: 20,
  kills: 0,
  /** Of a program that runs; empty: one is started when it shall be killed, else the usual address. */
  url: '',
  data: process.env['DATA_DIR'] ?? './data',
})

const { seed, kills } = asked
const random = createRandom(seed)
const run = `s${seed}x${Date.now().toString(36)}`
const phones = Array.from({ length: asked.phones }, (_, n) => `${run}-${n}`)
const durationMs = asked.minutes * 60_000

async function makePhones(at: Console): Promise<void> {
  for (const [n, id] of phones.entries()) {
    const number = `55119${String(10_000_000 + ((seed * 7919 + n * 104_729) % 89_999_999))}`
    await at.simulator('POST', '/phones', { id, name: `Cliente ${n + 1} (${run})`, number, autoRead: true })
  }
}

/** Writes at the rate until the time is over; each phone waits for its own message before the next. */
async function write(at: Console, until: number): Promise<number> {
  let count = 0
  const everyMs = 1000 / asked.rate
  const busy = new Map<string, Promise<unknown>>()
  for (let next = performance.now(); performance.now() < until; next += everyMs) {
    await sleep(Math.max(0, next - performance.now()))
    const phone = phones[Math.floor(random() * phones.length)] ?? ''
    const n = ++count
    const body = { kind: 'text', id: `${run}m${n}`, text: `mensagem ${n} de ${phone}` }
    busy.set(
      phone,
      (busy.get(phone) ?? Promise.resolve()).then(() =>
        at.simulator('POST', `/phones/${phone}/messages`, body),
      ),
    )
  }
  await Promise.all(busy.values())
  return count
}

/** Answers whoever waits; a repeated answer carries the same client id, as the browser's does. */
async function answer(at: Console, until: number): Promise<number> {
  let count = 0
  const everyMs = 2000 / asked.rate
  while (performance.now() < until) {
    const waiting = (await at.waiting()).filter((row) => row.name.includes(run))
    const started = performance.now()
    for (const row of waiting.slice(0, Math.ceil(500 / everyMs))) {
      const n = ++count
      await at.reply(row.id, { content: `resposta ${n} (${run})`, clientMessageId: `${run}-reply-${n}` })
    }
    await sleep(
      Math.max(
        50,
        Math.min(waiting.length, Math.ceil(500 / everyMs)) * everyMs - (performance.now() - started),
      ),
    )
  }
  return count
}

async function killAtRandom(program: Program, until: number): Promise<void> {
  const moments = Array.from({ length: kills }, () => random()).sort((a, b) => a - b)
  const start = performance.now()
  for (const [n, moment] of moments.entries()) {
    await sleep(Math.max(0, start + moment * (until - start) - performance.now()))
    const ms = await program.killAndRestart()
    say(`  kill -9 nº ${n + 1}: de volta em ${ms} ms`)
  }
}

function report(result: Comparison, accepted: { written: number; answered: number }): void {
  say(`semente ${seed}, ${phones.length} celulares, ${asked.minutes} min, ${asked.rate}/s, ${kills} kill -9`)
  say(`escritas nos celulares: ${result.written} (pedidas ${accepted.written}); no banco: ${result.stored}`)
  say(
    `respostas aceitas: ${accepted.answered}; no banco: ${result.answered}; recebidas nos celulares: ${result.received}`,
  )
  for (const line of result.visible.slice(0, 20)) say(`  ${line}`)
  for (const { kind, what } of result.faults.slice(0, 50)) say(`  FALHA ${faultTitles[kind]}: ${what}`)
  say(
    result.faults.length === 0
      ? 'O registro dos celulares e o banco conferem.'
      : `${result.faults.length} falhas`,
  )
}

const program = kills > 0 ? await Program.start(asked.data) : undefined
try {
  const at = await createConsole(asked.url || (program?.url ?? 'http://127.0.0.1:3000'), asked.data)
  await makePhones(at)
  const until = performance.now() + durationMs
  const [written, answered] = await Promise.all([
    write(at, until),
    answer(at, until),
    program ? killAtRandom(program, until) : undefined,
  ])
  await waitUntilQuiet(asked.data, at, run, 180_000)
  const oracle = await at.oracle(phones)
  const result = compare(oracle, await readStored(asked.data, run))
  if (oracle.written.length !== written)
    result.faults.push({ kind: 'lost', what: `o simulador aceitou ${oracle.written.length} de ${written}` })
  report(result, { written, answered })
  process.exitCode = result.faults.length === 0 ? 0 : 1
} finally {
  await program?.stop()
}

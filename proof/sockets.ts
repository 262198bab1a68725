import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { checkTold, stagesOf } from './sockets/check.ts'
import { type Ground, makeOperators, openGround, type Operator } from './sockets/ground.ts'
import { Tab, type TabEvents } from './sockets/tab.ts'
import { Fetcher, quantile, spread, type Usage, usageOf } from './sockets/watch.ts'

/**
 * `npm run sockets -- --sockets 1000 --minutes 10 --rate 20 --restarts 2 --slow 200 --seed 7`: starts the program on a
 * database of its own, connects so many operators' tabs to it, lets phones write, and restarts it (SIGTERM, then SIGKILL,
 * in turn). Fails when an event took too long, a tab did not come back in time or missed a message, or memory grew.
 */
const asked = readOptions({
  sockets: 1000,
  minutes: 10,
  /** Messages a second that phones write. */
  rate: 20,
  restarts: 2,
  /** More sockets, that never read. */
  slow: 0,
  phones: 60,
})
const { sockets: count, slow: slowCount, minutes, rate, restarts, seed } = asked
const random = createRandom(seed)
const sampleSize = 50
const targets = { eventP99Ms: 250, backMs: 30_000, httpP99Ms: 500, memoryGrowth: 1.2 }

const misses: string[] = []
const faults: string[] = []
const expectThat = (isGood: boolean, line: string) => void (isGood || misses.push(line))

/** How late a message was, while nothing was restarting. */
let latencies: number[] = []
let calmSinceMs = Number.POSITIVE_INFINITY
const events: TabEvents = {
  onMessage: (latencyMs, writtenAtMs) => void (writtenAtMs >= calmSinceMs && latencies.push(latencyMs)),
  onFault: (line) => void faults.push(line),
}

async function until(isTrue: () => boolean, withinMs: number): Promise<number> {
  const start = performance.now()
  while (!isTrue() && performance.now() - start < withinMs) await sleep(20)
  return Math.round(performance.now() - start)
}

function openTabs(ground: Ground, operators: Operator[]): Tab[] {
  const every = Math.max(1, Math.floor(count / sampleSize))
  return Array.from({ length: count }, (_, n) => {
    const operator = operators[n % operators.length] as Operator
    const tab = new Tab({ url: ground.program.url, operator, random, events, isSampled: n % every === 0 })
    tab.connect()
    return tab
  })
}

/** Phones write until they are told to stop. */
function startWriting(ground: Ground): () => Promise<number> {
  const { control } = ground.simulator
  const phones = Array.from({ length: asked.phones }, (_, n) => {
    const number = `55119${String(10_000_000 + ((seed * 7919 + n * 104_729) % 89_999_999))}`
    return control.createPhone({ name: `Cliente ${n + 1}`, number }).id
  })
  let isOver = false
  const running = (async () => {
    let written = 0
    const start = performance.now()
    while (!isOver) {
      const phone = phones[Math.floor(random() * phones.length)] as string
      control.sendText(phone, `mensagem ${++written} às ${Date.now()}`)
      await sleep(Math.max(0, start + (written * 1000) / rate - performance.now()))
    }
    return written
  })()
  return () => {
    isOver = true
    return running
  }
}

/** They connect and read nothing; whoever was sent away is replaced each half minute. */
function startSlow(ground: Ground, operators: Operator[]): () => void {
  let tabs: Tab[] = []
  const renew = async () => {
    tabs.forEach((tab) => tab.close())
    tabs = Array.from({ length: slowCount }, (_, n) => {
      const operator = operators[n % operators.length] as Operator
      const tab = new Tab({ url: ground.program.url, operator, random, events, isSampled: false })
      tab.connect()
      return tab
    })
    await until(() => tabs.every((tab) => tab.state !== 'away'), 10_000)
    tabs.forEach((tab) => tab.freeze())
  }
  void renew()
  const timer = setInterval(() => void renew(), 30_000)
  return () => {
    clearInterval(timer)
    tabs.forEach((tab) => tab.close())
  }
}

const memory: { minute: number; usage: Usage }[] = []

/** Some calm minutes: latency, memory, processor. */
async function calm(ground: Ground, forMs: number, fetcher: Fetcher): Promise<void> {
  latencies = []
  fetcher.take()
  calmSinceMs = Date.now()
  const start = performance.now()
  const before = await usageOf(ground.program.url)
  for (let left = forMs; left > 0; left = forMs - (performance.now() - start)) {
    await sleep(Math.min(left, 60_000))
    const usage = await usageOf(ground.program.url)
    const minute = Math.round((performance.now() - start) / 6000) / 10
    memory.push({ minute, usage })
    say(
      `  minuto ${minute}: memória ${usage.rssMb} MB (heap ${usage.heapMb} MB), até aqui ${spread(latencies)}`,
    )
  }
  const window = { fromMs: calmSinceMs, toMs: Date.now() }
  calmSinceMs = Number.POSITIVE_INFINITY
  const after = await usageOf(ground.program.url)
  const busy = ((after.cpuSeconds - before.cpuSeconds) / (performance.now() - start)) * 100_000
  const p99 = quantile(latencies, 0.99)
  say(
    `celular → tela: ${spread(latencies)}; processador ${busy.toFixed(0)} %; HTTP ${spread(fetcher.take())}`,
  )
  for (const { stage, p50, p99: late } of await stagesOf(ground, window))
    say(`  ${stage}: p50 ${p50}, p99 ${late} ms`)
  expectThat(latencies.length > 0, 'nenhuma mensagem chegou às telas')
  expectThat(p99 <= targets.eventP99Ms, `p99 do evento: ${Math.round(p99)} ms > ${targets.eventP99Ms}`)
}

async function restart(ground: Ground, tabs: Tab[], fetcher: Fetcher, isKill: boolean): Promise<void> {
  const ends = () => tabs.reduce((sum, tab) => sum + tab.ends.resumed + tab.ends.resync, 0)
  const before = ends()
  const resyncs = tabs.reduce((sum, tab) => sum + tab.ends.resync, 0)
  const notNow = tabs.reduce((sum, tab) => sum + tab.ends.notNow, 0)
  const start = performance.now()
  await (isKill ? ground.program.kill() : ground.program.end())
  const downMs = Math.round(performance.now() - start)
  fetcher.take()
  await ground.program.restart()
  const servingMs = Math.round(performance.now() - start)
  await until(() => ends() >= before + tabs.length && tabs.every((tab) => tab.state === 'ready'), 90_000)
  const backMs = Math.round(performance.now() - start)
  const back = tabs.filter((tab) => tab.state === 'ready').length
  const http = fetcher.take()
  const told = tabs.reduce((sum, tab) => sum + tab.ends.resync, 0) - resyncs
  const sentAway = tabs.reduce((sum, tab) => sum + tab.ends.notNow, 0) - notNow
  const name = isKill ? 'SIGKILL' : 'SIGTERM'
  say(
    `${name}: fora em ${downMs} ms, servindo em ${servingMs} ms, ${back} de ${tabs.length} abas de volta em ${backMs} ms ` +
      `(${told} por nova busca, ${sentAway} adiadas); HTTP na volta ${spread(http)}`,
  )
  expectThat(back === tabs.length && backMs <= targets.backMs, `${name}: voltaram ${back} em ${backMs} ms`)
  const p99 = quantile(http, 0.99)
  expectThat(p99 < targets.httpP99Ms, `${name}: p99 de HTTP ${Math.round(p99)} ms`)
}

async function run(ground: Ground): Promise<void> {
  const operators = await makeOperators(ground, 'operador', count)
  const others = slowCount > 0 ? await makeOperators(ground, 'lento', slowCount) : []
  const begun = performance.now()
  const tabs = openTabs(ground, operators)
  await until(() => tabs.every((tab) => tab.state === 'ready'), 60_000)
  say(
    `${tabs.filter((tab) => tab.state === 'ready').length} abas abertas em ${Math.round(performance.now() - begun)} ms`,
  )
  const fetcher = new Fetcher(ground.program.url, operators[0] as Operator)
  const stopWriting = startWriting(ground)
  const stopSlow = slowCount > 0 ? startSlow(ground, others) : undefined
  await sleep(2000)
  await calm(ground, minutes * 60_000, fetcher)
  stopSlow?.()
  for (let n = 0; n < restarts; n++) {
    await restart(ground, tabs, fetcher, n % 2 === 1)
    await sleep(5000)
  }
  const written = await stopWriting()
  await ground.simulator.control.idle()
  await sleep(3000)
  await fetcher.stop()
  const sampled = tabs.filter((tab) => tab.isSampled)
  const result = await checkTold(ground, sampled)
  tabs.forEach((tab) => tab.close())
  say(`escritas ${written}, no banco ${result.messages}; conferidas em ${sampled.length} abas`)
  expectThat(result.messages === written, `${written} escritas, ${result.messages} no banco`)
  faults.push(...result.faults)
}

const ground = await openGround(seed)
try {
  say(
    `semente ${seed}: ${count} abas, ${minutes} min, ${rate}/s, ${restarts} reinícios, ${slowCount} que não leem`,
  )
  await run(ground)
  const [first, last] = [memory[0], memory.at(-1)]
  if (first && last && memory.length > 2) {
    const growth = last.usage.rssMb / first.usage.rssMb
    expectThat(growth <= targets.memoryGrowth, `memória: de ${first.usage.rssMb} a ${last.usage.rssMb} MB`)
  }
  for (const line of faults.slice(0, 30)) say(`  FALHA ${line}`)
  for (const line of misses) say(`  FORA DA META ${line}`)
  say(`${faults.length} falhas, ${misses.length} fora da meta (semente ${seed})`)
  process.exitCode = faults.length + misses.length === 0 ? 0 : 1
} finally {
  await ground.close()
}

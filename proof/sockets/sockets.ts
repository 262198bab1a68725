import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Random } from '#simulator/random.ts'
import type { GivenOptions } from '../support/options.ts'
import { type Context, defineScenario } from '../support/scenario.ts'
import { checkReceived, stagesOf } from './check.ts'
import { type Environment, makeOperators, openEnvironment, type Operator } from './environment.ts'
import { Tab, type TabEvents } from './tab.ts'
import { Fetcher, quantile, spread, type Usage, usageOf } from './watch.ts'

const sampleSize = 50
const targets = { eventP99Ms: 250, backMs: 30_000, httpP99Ms: 500, memoryGrowth: 1.2 }

const defaults = {
  sockets: 1000,
  minutes: 10,
  /** Messages a second from phones. */
  rate: 20,
  restarts: 2,
  /** Additional sockets that never read. */
  slow: 0,
  phones: 60,
}

/** A run with the observations of its tabs so far. */
interface Run extends Environment {
  options: GivenOptions<typeof defaults>
  random: Random
  print: (line: string) => void
  /** The latencies of messages in milliseconds, outside restarts. */
  latencies: number[]
  calmSinceMs: number
  memory: Usage[]
  events: TabEvents
  tabFaults: string[]
  /** Measurements that missed their targets. */
  misses: string[]
}

function createRun(environment: Environment, { options, random, print }: Context<typeof defaults>): Run {
  const tabFaults: string[] = []
  const run: Run = {
    ...environment,
    options,
    random,
    print,
    latencies: [],
    calmSinceMs: Number.POSITIVE_INFINITY,
    memory: [],
    events: {
      onMessage: (latencyMs, writtenAtMs) =>
        void (writtenAtMs >= run.calmSinceMs && run.latencies.push(latencyMs)),
      onFault: (line) => void tabFaults.push(line),
    },
    tabFaults,
    misses: [],
  }
  return run
}

function expectThat({ misses }: Run, isGood: boolean, line: string): void {
  if (!isGood) misses.push(line)
}

async function until(isTrue: () => boolean, withinMs: number): Promise<number> {
  const start = performance.now()
  while (!isTrue() && performance.now() - start < withinMs) await sleep(20)
  return Math.round(performance.now() - start)
}

function openTabs({ program, options, random, events }: Run, operators: Operator[]): Tab[] {
  const count = options.sockets
  const every = Math.max(1, Math.floor(count / sampleSize))
  return Array.from({ length: count }, (_, n) => {
    const operator = operators[n % operators.length] as Operator
    const tab = new Tab({ url: program.url, operator, random, events, isSampled: n % every === 0 })
    tab.connect()
    return tab
  })
}

/** Waits until every received message is processed, two minutes at most. */
async function untilInboxEmpty({ query }: Run): Promise<void> {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await sleep(500)) {
    const [row] = await query<{ n: number }>(
      sql`select count(*)::int as n from webhook_inbox where processed_at is null and dead_reason is null`,
    )
    if (row?.n === 0) return
  }
}

/** Phones write until the returned function is called. @returns how many messages they wrote */
function startWriting({ simulator, options, random }: Run): () => Promise<number> {
  const { control } = simulator
  const { rate, seed } = options
  const phones = Array.from({ length: options.phones }, (_, n) => {
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

/** Opens sockets that read nothing, and replaces them every half minute. */
function startSlow({ program, options, random, events }: Run, operators: Operator[]): () => void {
  let tabs: Tab[] = []
  const renew = async () => {
    tabs.forEach((tab) => tab.close())
    tabs = Array.from({ length: options.slow }, (_, n) => {
      const operator = operators[n % operators.length] as Operator
      const tab = new Tab({ url: program.url, operator, random, events, isSampled: false })
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

/** Measures latency, memory and processor time in minutes without restarts. */
async function measureCalm(run: Run, forMs: number, fetcher: Fetcher): Promise<void> {
  const { program, latencies, print } = run
  fetcher.take()
  run.calmSinceMs = Date.now()
  const start = performance.now()
  const before = await usageOf(program.url)
  for (let left = forMs; left > 0; left = forMs - (performance.now() - start)) {
    await sleep(Math.min(left, 60_000))
    const usage = await usageOf(program.url)
    const minute = Math.round((performance.now() - start) / 6000) / 10
    run.memory.push(usage)
    print(
      `  minute ${minute}: memory ${usage.rssMb} MB (heap ${usage.heapMb} MB), so far ${spread(latencies)}`,
    )
  }
  const window = { fromMs: run.calmSinceMs, toMs: Date.now() }
  run.calmSinceMs = Number.POSITIVE_INFINITY
  const after = await usageOf(program.url)
  const busy = ((after.cpuSeconds - before.cpuSeconds) / (performance.now() - start)) * 100_000
  const p99 = quantile(latencies, 0.99)
  print(
    `phone → screen: ${spread(latencies)}; processor ${busy.toFixed(0)} %; HTTP ${spread(fetcher.take())}`,
  )
  for (const { stage, p50, p99: late } of await stagesOf(run, window))
    print(`  ${stage}: p50 ${p50}, p99 ${late} ms`)
  expectThat(run, latencies.length > 0, 'no message reached a screen')
  expectThat(run, p99 <= targets.eventP99Ms, `event p99 ${Math.round(p99)} ms > ${targets.eventP99Ms} ms`)
}

async function restart(run: Run, tabs: Tab[], fetcher: Fetcher, isKill: boolean): Promise<void> {
  const { program, print } = run
  const sum = (count: (tab: Tab) => number) => tabs.reduce((total, tab) => total + count(tab), 0)
  const ends = () => sum((tab) => tab.ends.resumed + tab.ends.resync)
  const before = ends()
  const resyncs = sum((tab) => tab.ends.resync)
  const notNow = sum((tab) => tab.ends.notNow)
  const start = performance.now()
  await (isKill ? program.kill() : program.end())
  const downMs = Math.round(performance.now() - start)
  fetcher.take()
  await program.restart()
  const servingMs = Math.round(performance.now() - start)
  await until(() => ends() >= before + tabs.length && tabs.every((tab) => tab.state === 'ready'), 90_000)
  const backMs = Math.round(performance.now() - start)
  const back = tabs.filter((tab) => tab.state === 'ready').length
  const http = fetcher.take()
  const refetched = sum((tab) => tab.ends.resync) - resyncs
  const postponed = sum((tab) => tab.ends.notNow) - notNow
  const name = isKill ? 'SIGKILL' : 'SIGTERM'
  print(
    `${name}: down after ${downMs} ms, serving after ${servingMs} ms, ` +
      `${back} of ${tabs.length} tabs back after ${backMs} ms (${refetched} by a new fetch, ` +
      `${postponed} postponed); HTTP meanwhile ${spread(http)}`,
  )
  const isBack = back === tabs.length && backMs <= targets.backMs
  expectThat(run, isBack, `${name}: ${back} tabs back after ${backMs} ms`)
  const p99 = quantile(http, 0.99)
  expectThat(run, p99 < targets.httpP99Ms, `${name}: HTTP p99 ${Math.round(p99)} ms`)
}

/**
 * Connects operators' tabs to a program on a new database, lets phones write, and restarts it (SIGTERM and
 * SIGKILL in turn). It fails if an event takes too long, a tab does not come back in time or misses a
 * message,
 * or memory grows.
 */
export const sockets = defineScenario({
  options: defaults,
  nightly: { sockets: 300, minutes: 2 },

  async arrange(context) {
    const environment = await openEnvironment(context.options.seed)
    context.defer(environment.close)
    return createRun(environment, context)
  },

  async act(run, { options, print }) {
    const { sockets: count, slow, minutes, restarts } = options
    const operators = await makeOperators(run, 'operador', count)
    const others = slow > 0 ? await makeOperators(run, 'lento', slow) : []
    const begun = performance.now()
    const tabs = openTabs(run, operators)
    await until(() => tabs.every((tab) => tab.state === 'ready'), 60_000)
    const ready = tabs.filter((tab) => tab.state === 'ready').length
    print(`${ready} tabs open after ${Math.round(performance.now() - begun)} ms`)
    const fetcher = new Fetcher(run.program.url, operators[0] as Operator)
    const stopWriting = startWriting(run)
    const stopSlow = slow > 0 ? startSlow(run, others) : undefined
    await sleep(2000)
    await measureCalm(run, minutes * 60_000, fetcher)
    stopSlow?.()
    for (let n = 0; n < restarts; n++) {
      await restart(run, tabs, fetcher, n % 2 === 1)
      await sleep(5000)
    }
    const written = await stopWriting()
    await run.simulator.control.idle()
    await untilInboxEmpty(run)
    await sleep(3000)
    await fetcher.stop()
    return { tabs, written }
  },

  async check({ tabs, written }, run) {
    const sampled = tabs.filter((tab) => tab.isSampled)
    const received = await checkReceived(run, sampled)
    tabs.forEach((tab) => tab.close())
    const isStored = received.messages === written
    const [first, last] = [run.memory[0], run.memory.at(-1)]
    if (first && last && run.memory.length > 2) {
      const growth = last.rssMb / first.rssMb
      expectThat(run, growth <= targets.memoryGrowth, `memory: from ${first.rssMb} to ${last.rssMb} MB`)
    }
    return [
      {
        property: 'every message is stored once',
        checked: written,
        faults: isStored ? [] : [`${written} written, ${received.messages} stored`],
      },
      {
        property: 'sampled tabs received every message in order',
        checked: sampled.length,
        faults: received.faults,
      },
      { property: 'no tab saw a gap or lost its session', checked: tabs.length, faults: run.tabFaults },
      {
        property: 'events, restarts, HTTP and memory are within their targets',
        checked: run.latencies.length,
        faults: run.misses,
      },
    ]
  },
})

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { operators, tokenOf } from '../environment/data.ts'
import type { Environment } from '../environment/environment.ts'
import { connectAgents } from '../load/agents.ts'
import { quantile, runLoad } from '../load/load.ts'
import { createReplier, createWriter, webhookRequest } from '../load/requests.ts'
import { higher, lower, type Figure, type Sample } from '../rounds.ts'
import { type CreateScenario, drained } from './scenario.ts'

/** A list that each operator fetches repeatedly. */
interface Fetching {
  path: string
  everyMs: number
  /** Sends the ETag of the last answer, as a browser does. */
  isRefetch: boolean
}

/** What an open console fetches: a page of conversations, and all open ones for the alerts. */
const shownLists = ['/api/conversations?page=1&limit=10', '/api/conversations']

/**
 * While events are pushed, a browser refetches once a minute, and each person opens a list twice a minute.
 */
const asBrowsers: Fetching[] = [
  ...shownLists.map((path) => ({ path, everyMs: 60_000, isRefetch: true })),
  { path: '/api/conversations?page=1&limit=50', everyMs: 30_000, isRefetch: false },
]

/** The polling of a browser without a socket: 140 calls a second. */
const asPolling: Fetching[] = [
  { path: '/api/conversations?page=1&limit=10', everyMs: 5000, isRefetch: true },
  { path: '/api/conversations', everyMs: 2000, isRefetch: true },
]

/** The first seconds of a process, before its code is compiled, do not matter in a shift of hours. */
const warmMs = 10_000
const lagResolutionMs = 5

function figuresOf(fetchings: Fetching[]): Figure[] {
  const perSecond = fetchings.reduce((sum, { everyMs }) => sum + (operators * 1000) / everyMs, 0)
  return [
    lower('p99', 'until the event at each operator, p99', 'ms', { value: 50 }),
    lower('p50', 'until the event at each operator, p50', 'ms'),
    lower('cpu', 'our process, of one core', '%', { value: 60 }),
    higher('fetches', `lists fetched a second, of ${perSecond.toFixed(0)}`, '/s', {
      value: Math.floor(perSecond * 0.993),
    }),
    lower('fetchP99', 'a list, p99', 'ms'),
    higher('unchanged', 'lists answered with 304', '%'),
    lower('kilobytes', 'body of a list, on average', 'kB'),
    higher('sockets', 'operators still connected', '', { value: operators }),
    lower('loadCpu', 'load generator, of one core', '%'),
    lower('loadLag', 'delay of the load generator, p99', 'ms'),
    lower('rssStart', 'memory at the start', 'MB'),
    lower('rssEnd', 'memory at the end', 'MB'),
  ]
}

const traffic = '20 messages and 10 replies a second'

/**
 * S8: a shift as of real browsers: one socket each, a refetch a minute for safety, lists opened by people.
 */
export const shift: CreateScenario = (environment, { shiftMs }) => ({
  name: 'shift',
  title: `S8 a shift of ${shiftMs / 1000} s: ${operators} browsers, ${traffic}`,
  rounds: 1,
  figures: figuresOf(asBrowsers),
  sides: { ours: () => run(environment, asBrowsers, 'S', shiftMs) },
})

/** S8, the worst case: every operator also polls as if nothing were pushed. */
export const shiftPolls: CreateScenario = (environment, { shiftMs }) => ({
  name: 'shift-polls',
  title: `S8 worst case, a shift of ${shiftMs / 1000} s: ${operators} operators who also poll, ${traffic}`,
  rounds: 1,
  figures: figuresOf(asPolling),
  sides: { ours: () => run(environment, asPolling, 'P', shiftMs) },
})

interface Fetches {
  latencies: number[]
  unchanged: number
  bytes: number
}

/** @param prefix of the ids of this run's messages */
async function run(
  environment: Environment,
  fetchings: Fetching[],
  prefix: string,
  ms: number,
): Promise<Sample> {
  const { child, http } = environment.product
  const types = ['message_received', 'new_message']
  const agents = await connectAgents(child.url, operators, { types, isOurs: true })
  const write = createWriter(environment, prefix)
  const reply = createReplier(environment, `shift-${prefix}-${environment.seed}-`)
  let sent: { id: string; at: number }[] = []
  const note = (id: string) => void sent.push({ id, at: performance.now() })
  const incoming = () => {
    const written = write()
    note(written.id)
    return webhookRequest(written)
  }
  const outgoing = () => {
    const { clientId, request } = reply()
    note(clientId)
    return request
  }
  const work = async (forMs: number): Promise<Fetches> => {
    const fetches: Fetches = { latencies: [], unchanged: 0, bytes: 0 }
    await Promise.all([
      ...Array.from({ length: operators }, (_, n) => fetchLists(environment, fetchings, n, forMs, fetches)),
      runLoad(http, incoming, { connections: 8, ms: forMs, perSecond: 20 }),
      runLoad(http, outgoing, { connections: 8, ms: forMs, perSecond: 10 }),
    ])
    return fetches
  }
  await work(warmMs)
  sent = []
  // The part of the delays that is this process's own: it notices answers late by so much.
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs })
  lag.enable()
  const loadCpu = process.cpuUsage()
  const [cpu, rssStart, started] = [child.cpuMs(), child.rssMb(), performance.now()]
  const fetches = await work(ms)
  const seconds = (performance.now() - started) / 1000
  const used = child.cpuMs() - cpu
  const { user, system } = process.cpuUsage(loadCpu)
  lag.disable()
  const rssEnd = child.rssMb()
  await drained(environment.product)
  const sockets = agents.open()
  if (sockets === operators) await Promise.all(sent.map(({ id }) => agents.receivedByAll(id)))
  const delays = sent.flatMap(({ id, at }) => agents.delays(id, at))
  await agents.close()
  const { latencies, unchanged, bytes } = fetches
  return {
    p99: quantile(delays, 0.99),
    p50: quantile(delays, 0.5),
    cpu: used / seconds / 10,
    fetches: latencies.length / seconds,
    fetchP99: quantile(latencies, 0.99),
    unchanged: (unchanged / latencies.length) * 100,
    kilobytes: bytes / latencies.length / 1000,
    sockets,
    loadCpu: (user + system) / 1000 / seconds / 10,
    loadLag: lag.percentile(99) / 1e6 - lagResolutionMs,
    rssStart,
    rssEnd,
  }
}

/** Fetches one operator's lists for the given time, compressed as for a browser. */
async function fetchLists(
  environment: Environment,
  fetchings: Fetching[],
  operator: number,
  ms: number,
  fetches: Fetches,
): Promise<void> {
  const until = performance.now() + ms
  const headers = { authorization: `Bearer ${tokenOf(operator + 1)}`, 'accept-encoding': 'gzip, deflate' }
  const repeat = async ({ path, everyMs, isRefetch }: Fetching) => {
    let tag: string | undefined
    // Spread over the interval, so that operators do not all call at once.
    for (let at = performance.now() + (everyMs * operator) / operators; at < until; at += everyMs) {
      await sleep(Math.max(0, at - performance.now()))
      const started = performance.now()
      const sent = { ...headers, ...(tag !== undefined && { 'if-none-match': tag }) }
      const answer = await environment.product.http.request({ method: 'GET', path, headers: sent })
      for await (const chunk of answer.body) fetches.bytes += (chunk as Buffer).length
      fetches.latencies.push(performance.now() - started)
      if (answer.statusCode === 304) fetches.unchanged++
      else if (isRefetch && typeof answer.headers.etag === 'string') tag = answer.headers.etag
    }
  }
  await Promise.all(fetchings.map(repeat))
}

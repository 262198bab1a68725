import { monitorEventLoopDelay } from 'node:perf_hooks'
import { connectAgents } from '../agents.ts'
import { operators, tokenOf } from '../data.ts'
import { quantile, shoot } from '../load.ts'
import type { Figure, Sample } from '../rounds.ts'
import { createReplier, createWriter, webhookShot } from '../shots.ts'
import type { Stage } from '../stage.ts'
import { drained, type MakeScenario } from './plan.ts'

const listEveryMs = 5000
const monitorEveryMs = 2000
const listPath = '/api/conversations?page=1&limit=10'
const monitorPath = '/api/conversations'
/** A shift is hours: what a process does in its first seconds, before it is compiled, is another scenario's figure. */
const warmMs = 10_000
const lagResolutionMs = 5

const figures: Figure[] = [
  {
    key: 'p99',
    title: 'até o evento em cada atendente, p99',
    unit: 'ms',
    better: 'lower',
    land: { value: 50 },
    aim: { value: 50 },
  },
  { key: 'p50', title: 'até o evento em cada atendente, p50', unit: 'ms', better: 'lower' },
  { key: 'cpu', title: 'nosso processo, de um núcleo', unit: '%', better: 'lower', aim: { value: 60 } },
  {
    key: 'polls',
    title: 'consultas por segundo, de 140',
    unit: 'por s',
    better: 'higher',
    aim: { value: 139 },
  },
  { key: 'pollP99', title: 'consulta, p99', unit: 'ms', better: 'lower' },
  { key: 'unchanged', title: 'consultas com 304', unit: '%', better: 'higher' },
  { key: 'kilobytes', title: 'corpo de uma consulta, em média', unit: 'kB', better: 'lower' },
  {
    key: 'sockets',
    title: 'atendentes ainda ligados',
    unit: '',
    better: 'higher',
    land: { value: operators },
  },
  { key: 'loadCpu', title: 'quem gera a carga e mede, de um núcleo', unit: '%', better: 'lower' },
  { key: 'loadLag', title: 'atraso de quem mede, p99', unit: 'ms', better: 'lower' },
  { key: 'rssStart', title: 'memória no começo', unit: 'MB', better: 'lower' },
  { key: 'rssEnd', title: 'memória no fim', unit: 'MB', better: 'lower' },
]

/** S8: a shift. 200 operators, who also poll as if their links were down, 20 messages a second in, 10 answers a second. */
export const shift: MakeScenario = (stage, { shiftMs }) => ({
  name: 'shift',
  title: `S8 um turno de ${shiftMs / 1000} s: 200 atendentes que consultam, 20 mensagens e 10 respostas por segundo`,
  rounds: 1,
  figures,
  sides: { nosso: () => play(stage, shiftMs) },
})

interface Polls {
  latencies: number[]
  unchanged: number
  bytes: number
}

async function play(stage: Stage, ms: number): Promise<Sample> {
  const { child, http } = stage.product
  const types = ['message_received', 'new_message']
  const agents = await connectAgents(child.url, operators, { types, isOurs: true })
  const [write, answer] = [createWriter(stage, 'S'), createReplier(stage, `shift-${stage.seed}-`)]
  let sent: { id: string; at: number }[] = []
  const note = <T extends { id: string }>(each: T): T => {
    sent.push({ id: each.id, at: performance.now() })
    return each
  }
  const work = async (forMs: number): Promise<Polls> => {
    const polls: Polls = { latencies: [], unchanged: 0, bytes: 0 }
    await Promise.all([
      ...Array.from({ length: operators }, (_, n) => watch(stage, n, forMs, polls)),
      shoot(http, () => webhookShot(note(write())), { connections: 8, ms: forMs, perSecond: 20 }),
      shoot(
        http,
        () => {
          const made = answer()
          note({ id: made.clientId })
          return made.shot
        },
        { connections: 8, ms: forMs, perSecond: 10 },
      ),
    ])
    return polls
  }
  await work(warmMs)
  sent = []
  // What hears the events late tells them late: so much of the delay is not the product's.
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs })
  lag.enable()
  const loadCpu = process.cpuUsage()
  const [cpu, rssStart, started] = [child.cpuMs(), child.rssMb(), performance.now()]
  const polls = await work(ms)
  const seconds = (performance.now() - started) / 1000
  const used = child.cpuMs() - cpu
  const { user, system } = process.cpuUsage(loadCpu)
  lag.disable()
  const rssEnd = child.rssMb()
  await drained(stage.product)
  const sockets = agents.open()
  if (sockets === operators) await Promise.all(sent.map(({ id }) => agents.heardByAll(id)))
  const delays = sent.flatMap(({ id, at }) => agents.delays(id, at))
  await agents.close()
  return {
    p99: quantile(delays, 0.99),
    p50: quantile(delays, 0.5),
    cpu: used / seconds / 10,
    polls: polls.latencies.length / seconds,
    pollP99: quantile(polls.latencies, 0.99),
    unchanged: (polls.unchanged / polls.latencies.length) * 100,
    kilobytes: polls.bytes / polls.latencies.length / 1000,
    sockets,
    loadCpu: (user + system) / 1000 / seconds / 10,
    loadLag: lag.percentile(99) / 1e6 - lagResolutionMs,
    rssStart,
    rssEnd,
  }
}

/** One operator's two polls, each with the tag of its last answer, as a browser repeats it. */
async function watch(stage: Stage, operator: number, ms: number, polls: Polls): Promise<void> {
  const until = performance.now() + ms
  const headers = { authorization: `Bearer ${tokenOf(operator + 1)}`, 'accept-encoding': 'gzip, deflate' }
  const poll = async (path: string, everyMs: number) => {
    let tag: string | undefined
    // Not all at the same moment.
    for (let at = performance.now() + (everyMs * operator) / operators; at < until; at += everyMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))
      const started = performance.now()
      const asked = { ...headers, ...(tag !== undefined && { 'if-none-match': tag }) }
      const answer = await stage.product.http.request({ method: 'GET', path, headers: asked })
      for await (const chunk of answer.body) polls.bytes += (chunk as Buffer).length
      polls.latencies.push(performance.now() - started)
      if (answer.statusCode === 304) polls.unchanged++
      else if (typeof answer.headers.etag === 'string') tag = answer.headers.etag
    }
  }
  await Promise.all([poll(listPath, listEveryMs), poll(monitorPath, monitorEveryMs)])
}

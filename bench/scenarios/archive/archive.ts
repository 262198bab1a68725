import { connectAgents } from '../../load/agents.ts'
import { allAnswered, type HttpRequest, quantile, runLoad } from '../../load/load.ts'
import { createWriter, webhookRequest } from '../../load/requests.ts'
import { operators, tokenOf } from '../../environment/data.ts'
import { lower, type Figure, type Sample } from '../../rounds.ts'
import { type CreateScenario, drained } from '../scenario.ts'
import { burstConversations, fill } from './fill.ts'
import { questions } from './questions.ts'

const users = 10
/** Each of them asks once a second, for what is seldom asked every five: who has a page looks at it. */
const asksPerSecond = users
const seldomPerSecond = users / 5
/** A 95th percentile needs more calls than a slice has. */
const sliceFactor = 4
const perSecond = 20

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/**
 * The archive, its search, the dashboard and a month's report for ten people, while messages come:
 * the product's calls beside the best indexed statements on the same rows.
 */
function createArchive(
  isAfterBurst: boolean,
  ...[environment, { sliceMs }]: Parameters<CreateScenario>
): ReturnType<CreateScenario> {
  const { db, http, child } = environment.product
  const headers = { authorization: `Bearer ${tokenOf(operators + 1)}` }
  let isPrepared: Promise<void> | undefined

  const prepare = () => (isPrepared ??= fill(environment, isAfterBurst))
  const ms = sliceMs * sliceFactor

  const paceOf = (isSeldom: true | undefined) => (isSeldom ? seldomPerSecond : asksPerSecond)

  /** Runs something at the pace of the users until the slice ends. @returns milliseconds of each */
  const paced = async (pace: number, work: () => Promise<unknown>): Promise<number[]> => {
    const latencies: number[] = []
    const started = performance.now()
    let turn = 0
    const one = async () => {
      for (;;) {
        const due = started + (turn++ * 1000) / pace
        if (due > started + ms) return
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
        const at = performance.now()
        await work()
        latencies.push(performance.now() - at)
      }
    }
    await Promise.all(Array.from({ length: users }, one))
    return latencies
  }

  /**
   * Writes a message and asks until it is found, one after the other until the slice ends.
   * @returns milliseconds of each
   */
  const foundAfter = async (write: ReturnType<typeof createWriter>): Promise<number[]> => {
    const lags: number[] = []
    const until = performance.now() + ms
    while (performance.now() < until) {
      const written = write()
      const { path, headers: own, ...request } = webhookRequest(written)
      const at = performance.now()
      await fetch(`${child.url}${path}`, { ...request, ...(own && { headers: own }) })
      for (let isFound = false; !isFound;) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        const answer = await fetch(`${child.url}/api/conversations/search?search=${written.id}`, { headers })
        isFound = ((await answer.json()) as { conversations: unknown[] }).conversations.length > 0
        if (!isFound && performance.now() - at > 60_000) throw new Error(`${written.id} is not found`)
      }
      lags.push(performance.now() - at)
    }
    return lags
  }

  const floor = async (): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    for (const { key, statements, isSeldom } of questions) {
      const all = () => Promise.all(statements.map((statement) => db.query(statement)))
      sample[key] = quantile(await paced(paceOf(isSeldom), all), 0.95)
    }
    return sample
  }

  const ours = async (round: number): Promise<Sample> => {
    await prepare()
    const sample: Sample = {}
    const write = createWriter(environment, `U${round}A`)
    const agents = await connectAgents(child.url, 1, { types: ['message_received'], isOurs: true })
    const delays: number[] = []
    for (const { key, path, isSeldom } of questions) {
      const asked = path.replace('DAY1', day(60)).replace('DAY2', day(31))
      const next = (): HttpRequest => ({ method: 'GET', path: asked, headers })
      const sent: { id: string; at: number }[] = []
      const incoming = () => {
        const written = write()
        sent.push({ id: written.id, at: performance.now() })
        return webhookRequest(written)
      }
      const [reads, writes, lags] = await Promise.all([
        runLoad(http, next, { connections: users, ms, perSecond: paceOf(isSeldom) }),
        runLoad(http, incoming, { connections: 4, ms, perSecond }),
        key === 'said' ? foundAfter(write) : [],
      ])
      if (lags.length > 0) sample['found'] = quantile(lags, 0.95)
      allAnswered(reads, 200)
      allAnswered(writes, 200)
      for (const { id, at } of sent) {
        await agents.receivedByAll(id)
        delays.push(...agents.delays(id, at))
      }
      sample[key] = quantile(reads.latencies, 0.95)
    }
    sample['delivery'] = quantile(delays, 0.99)
    await agents.close()
    await drained(environment.product)
    return sample
  }

  return {
    name: isAfterBurst ? 'archive-burst' : 'archive',
    title:
      `S10 archive, search, dashboard, report, for ${users} people` +
      `${isAfterBurst ? `, after ${burstConversations * 20} messages at once` : ''} ` +
      '(floor: the best statements alone)',
    figures: [
      ...questions.map(({ key, title, most }): Figure => ({
        key,
        title: `${title}, p95`,
        unit: 'ms',
        better: 'lower',
        aims: [{ ratio: 3 }, { value: most }],
      })),
      lower('found', 'a message until it is found, p95', 'ms', { value: 5000 }),
      lower('delivery', 'a message to an operator meanwhile, p99', 'ms', { value: 100 }),
    ],
    sides: { floor, ours },
  }
}

export const archive: CreateScenario = (...args) => createArchive(false, ...args)
/** Changes the data, and is therefore the last one of the group. */
export const archiveBurst: CreateScenario = (...args) => createArchive(true, ...args)

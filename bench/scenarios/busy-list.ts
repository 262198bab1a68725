import { allAnswered, type HttpRequest, quantile, runLoad } from '../load/load.ts'
import { createOperator, createWriter, floorRequest, webhookRequest, type Written } from '../load/requests.ts'
import type { Figure, Sample } from '../rounds.ts'
import { type CreateScenario, drained } from './scenario.ts'

const perSecond = 10
/** A 99th percentile needs more calls than a rate does. */
const sliceFactor = 3
const large = 100_000

const paths = {
  ours: {
    list: '/api/conversations?page=1&limit=50',
    search: '/api/conversations?page=1&limit=50&search=mariana',
  },
  floor: { list: '/list', search: '/list?search=mariana' },
} as const

/**
 * The open list and a name search during incoming messages: one call after the other, by operators in turn.
 */
export const busyList: CreateScenario = (environment, { sliceMs }) => {
  const isLarge = environment.size.conversations >= large
  const most = isLarge ? { list: 30, search: 60 } : { list: 15, search: 15 }
  const figures = (['list', 'search'] as const).flatMap((what): Figure[] => {
    const title = what === 'list' ? 'page of 50' : 'name search'
    return [
      { key: `${what}P50`, title: `${title}, p50`, unit: 'ms', better: 'lower' },
      {
        key: `${what}P99`,
        title: `${title}, p99`,
        unit: 'ms',
        better: 'lower',
        aims: [{ value: most[what] }],
      },
    ]
  })

  const run = async (side: 'ours' | 'floor', round: number): Promise<Sample> => {
    const isOurs = side === 'ours'
    const { http } = isOurs ? environment.product : environment.floor
    const operator = createOperator()
    const write = createWriter(environment, `${isOurs ? 'U' : 'F'}${round}Y`)
    const incoming = (written: Written) => (isOurs ? webhookRequest(written) : floorRequest('/in', written))
    const sample: Sample = {}
    for (const what of ['list', 'search'] as const) {
      const path = paths[side][what]
      const read = (): HttpRequest => ({ method: 'GET', path, ...(isOurs && { headers: operator() }) })
      const ms = sliceMs * sliceFactor
      const [reads, writes] = await Promise.all([
        runLoad(http, read, { connections: 1, ms }),
        runLoad(http, () => incoming(write()), { connections: 4, ms, perSecond }),
      ])
      allAnswered(reads, 200)
      allAnswered(writes, 200)
      sample[`${what}P50`] = quantile(reads.latencies, 0.5)
      sample[`${what}P99`] = quantile(reads.latencies, 0.99)
    }
    if (isOurs) await drained(environment.product)
    return sample
  }

  return {
    name: 'busy-list',
    title: `S1 lists while ${perSecond} messages a second come`,
    figures,
    sides: { floor: (round) => run('floor', round), ours: (round) => run('ours', round) },
  }
}

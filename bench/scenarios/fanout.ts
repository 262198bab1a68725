import { type Agents, connectAgents } from '../load/agents.ts'
import { allAnswered, quantile, runLoad } from '../load/load.ts'
import { higher, lower, type Figure, type Sample } from '../rounds.ts'
import { createWriter, floorRequest, type Written, webhookRequest } from '../load/requests.ts'
import type { Side } from '../environment/environment.ts'
import { createSizer, drained, type CreateScenario } from './scenario.ts'

const audiences = [1, 50, 200]
const perSecond = 25

const figures: Figure[] = [
  ...audiences.flatMap((audience) => [
    lower(`p50of${audience}`, `until the last of ${audience}, p50 (floor: insert + NOTIFY + ws)`, 'ms', {
      ratio: audience === 1 ? 4 : 2,
    }),
    lower(`p99of${audience}`, `until the last of ${audience}, p99`, 'ms', { ratio: audience === 1 ? 5 : 3 }),
  ]),
  higher('fullPerSecond', 'messages a second to 200 operators (floor: ws alone)', '/s', { ratio: 0.6 }),
  lower('cpuMs', 'processor time a message, to 200', 'ms'),
]

/**
 * S5 and S6: the time from webhook to operators' event, and how many messages a second reach 200 operators.
 */
export const fanout: CreateScenario = (environment, { sliceMs }) => {
  const sizer = createSizer(60, sliceMs)

  const run = async (side: 'ours' | 'floor', round: number): Promise<Sample> => {
    const isOurs = side === 'ours'
    const { http, child } = isOurs ? environment.product : environment.floor
    const write = createWriter(environment, `${isOurs ? 'U' : 'F'}${round}E`)
    const requestOf = isOurs ? webhookRequest : (written: Written) => floorRequest('/in-notify', written)
    const types = isOurs ? ['message_received'] : ['message']
    const sample: Sample = {}
    for (const audience of audiences) {
      const agents = await connectAgents(child.url, audience, { types, isOurs })
      const times = await deliver(http, write, requestOf, agents, { ms: sliceMs, connections: 4, perSecond })
      sample[`p50of${audience}`] = quantile(times.last, 0.5)
      sample[`p99of${audience}`] = quantile(times.last, 0.99)
      if (audience === 200) {
        const cpu = child.cpuMs()
        const count = sizer.countFor(side)
        const rawRequestOf = isOurs ? webhookRequest : (written: Written) => floorRequest('/raw', written)
        const full = await deliver(http, write, rawRequestOf, agents, { count, connections: 8 })
        sizer.note(side, full.perSecond)
        sample['fullPerSecond'] = full.perSecond
        sample['cpuMs'] = (child.cpuMs() - cpu) / count
      }
      await agents.close()
    }
    if (isOurs) await drained(environment.product)
    return sample
  }

  return {
    name: 'fanout',
    title: 'S5 and S6 fan-out: from the webhook until the event reaches operators',
    figures,
    sides: { floor: (round) => run('floor', round), ours: (round) => run('ours', round) },
  }
}

/** Sends messages. `last` has the milliseconds until the last agent had each of them. */
async function deliver(
  http: Side['http'],
  write: () => Written,
  requestOf: (written: Written) => ReturnType<typeof webhookRequest>,
  agents: Agents,
  load: Parameters<typeof runLoad>[2],
): Promise<{ last: number[]; perSecond: number }> {
  const sent: { id: string; at: number }[] = []
  const started = performance.now()
  const result = await runLoad(
    http,
    () => {
      const written = write()
      sent.push({ id: written.id, at: performance.now() })
      return requestOf(written)
    },
    load,
  )
  allAnswered(result, 200)
  await Promise.all(sent.map(({ id }) => agents.receivedByAll(id, 60_000)))
  const seconds = (performance.now() - started) / 1000
  return {
    last: sent.map(({ id, at }) => Math.max(...agents.delays(id, at))),
    perSecond: sent.length / seconds,
  }
}

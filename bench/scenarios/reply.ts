import { type Agents, connectAgents } from '../load/agents.ts'
import { allAnswered, median, type HttpRequest, runLoad } from '../load/load.ts'
import { lower, type Figure, type Sample } from '../rounds.ts'
import { createReplier, floorRequest } from '../load/requests.ts'
import type { Side, Environment } from '../environment/environment.ts'
import { type CreateScenario, queryNumber } from './scenario.ts'

/** Within the rate limit of one number, and less than eight workers can send at 300 ms each. */
const perSecond = 20
const hangs = [0, 300]

const figures: Figure[] = [
  ...hangs.map((hangMs) =>
    lower(
      `p50at${hangMs}`,
      `HTTP p50 with the gateway at ${hangMs} ms (floor: the bare SQL function)`,
      'ms',
      { ratio: 4 },
    ),
  ),
  lower('last200', 'until the last of 200, p50 (floor: insert + NOTIFY + ws)', 'ms'),
  lower('cpuMs', 'processor time a reply, with its send, echo and receipts', 'ms', { value: 12 }),
]

/** S7: an operator's reply, with a gateway that answers at once and one that takes 300 ms to answer. */
export const reply: CreateScenario = (environment, { sliceMs }) => ({
  name: 'reply',
  title: `S7 reply: stored, answered and pushed, ${perSecond} a second`,
  figures,
  sides: {
    floor: (round) => runFloor(environment, round, sliceMs),
    ours: (round) => runOurs(environment, round, sliceMs),
  },
})

interface Answered {
  latencies: number[]
  /** Until the last agent had it. */
  last: number[]
}

/** Sends replies at a constant rate, and waits until every agent has received each of them. */
async function answerAll(
  { http }: Side,
  agents: Agents,
  next: () => { clientId: string; request: HttpRequest },
  { ms, status }: { ms: number; status: number },
): Promise<Answered> {
  const sent: { id: string; at: number }[] = []
  const take = () => {
    const { clientId, request } = next()
    sent.push({ id: clientId, at: performance.now() })
    return request
  }
  const result = await runLoad(http, take, { connections: 1, ms, perSecond })
  allAnswered(result, status)
  await Promise.all(sent.map(({ id }) => agents.receivedByAll(id)))
  return {
    latencies: result.latencies,
    last: sent.map(({ id, at }) => Math.max(...agents.delays(id, at))),
  }
}

async function runOurs(environment: Environment, round: number, ms: number): Promise<Sample> {
  const { product } = environment
  const sample: Sample = {}
  const agents = await connectAgents(product.child.url, 200, { types: ['new_message'], isOurs: true })
  for (const hangMs of hangs) {
    await environment.gateway.hang(hangMs, Math.ceil((perSecond * ms) / 1000) + 50)
    const next = createReplier(environment, `U${round}R${hangMs}-`)
    const cpu = product.child.cpuMs()
    const { latencies, last } = await answerAll(product, agents, next, { ms, status: 201 })
    await allSent(product)
    sample[`p50at${hangMs}`] = median(latencies)
    if (hangMs > 0) continue
    sample['cpuMs'] = (product.child.cpuMs() - cpu) / latencies.length
    sample['last200'] = median(last)
  }
  await environment.gateway.hang(0, 0)
  await agents.close()
  return sample
}

async function allSent(product: Side): Promise<void> {
  const open = `select count(*)::int as n from outbox where state in ('pending', 'sending')`
  while ((await queryNumber(product, open)) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function runFloor(environment: Environment, round: number, ms: number): Promise<Sample> {
  const { floor } = environment
  const agents = await connectAgents(floor.child.url, 200, { types: ['message'], isOurs: false })
  const write = createReplier(environment, `F${round}R-`)
  const next = () => {
    const { clientId, conversation, text } = write()
    return { clientId, request: floorRequest('/reply', { conversation, clientId, text }) }
  }
  const { latencies, last } = await answerAll(floor, agents, next, { ms, status: 200 })
  await agents.close()
  const bare: number[] = []
  for (const _ of latencies) {
    const { clientId, conversation, text } = write()
    const values = [conversation, clientId, text]
    const at = performance.now()
    await floor.db.query({ name: 'bare-reply', text: 'select floor_reply($1, $2, $3)', values })
    bare.push(performance.now() - at)
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond))
  }
  return { p50at0: median(bare), p50at300: median(bare), last200: median(last) }
}

import { type Agents, connectAgents } from '../agents.ts'
import { allAnswered, median, type Shot, shoot } from '../load.ts'
import type { Figure, Sample } from '../rounds.ts'
import { createReplier, floorShot } from '../shots.ts'
import type { Side, Stage } from '../stage.ts'
import { type MakeScenario, one } from './plan.ts'

/** What one gateway number sends, and less than eight workers do at 300 ms each. */
const perSecond = 20
const hangs = [0, 300]

const figures: Figure[] = [
  ...hangs.map((hangMs) => ({
    key: `p50at${hangMs}`,
    title: `HTTP p50 com o gateway a ${hangMs} ms (piso: a função SQL nua)`,
    unit: 'ms',
    better: 'lower' as const,
    aim: { ratio: 4 },
  })),
  {
    key: 'last200',
    title: 'até o último de 200, p50 (piso: inserir + NOTIFY + ws)',
    unit: 'ms',
    better: 'lower',
  },
  {
    key: 'cpuMs',
    title: 'processador por resposta, com envio, eco e confirmações',
    unit: 'ms',
    better: 'lower',
  },
]

/** S7: an operator's answer, with a gateway that answers at once and one that takes its time. */
export const reply: MakeScenario = (stage, { sliceMs }) => ({
  name: 'reply',
  title: `S7 resposta: guardada, respondida e difundida, ${perSecond} por segundo`,
  figures,
  sides: {
    piso: (round) => playFloor(stage, round, sliceMs),
    nosso: (round) => playOurs(stage, round, sliceMs),
  },
})

interface Answered {
  latencies: number[]
  /** Until the last of the agents had it. */
  last: number[]
}

/** Answers at an even pace, and waits until everybody has heard of each. */
async function answerAll(
  { http }: Side,
  agents: Agents,
  next: () => { clientId: string; shot: Shot },
  { ms, status }: { ms: number; status: number },
): Promise<Answered> {
  const sent: { id: string; at: number }[] = []
  const take = () => {
    const { clientId, shot } = next()
    sent.push({ id: clientId, at: performance.now() })
    return shot
  }
  const shooting = await shoot(http, take, { connections: 1, ms, perSecond })
  allAnswered(shooting, status)
  await Promise.all(sent.map(({ id }) => agents.heardByAll(id)))
  return {
    latencies: shooting.latencies,
    last: sent.map(({ id, at }) => Math.max(...agents.delays(id, at))),
  }
}

async function playOurs(stage: Stage, round: number, ms: number): Promise<Sample> {
  const { product } = stage
  const sample: Sample = {}
  const agents = await connectAgents(product.child.url, 200, { types: ['new_message'], isOurs: true })
  for (const hangMs of hangs) {
    await stage.gateway.hang(hangMs, Math.ceil((perSecond * ms) / 1000) + 50)
    const next = createReplier(stage, `U${round}R${hangMs}-`)
    const cpu = product.child.cpuMs()
    const { latencies, last } = await answerAll(product, agents, next, { ms, status: 201 })
    await allSent(product)
    sample[`p50at${hangMs}`] = median(latencies)
    if (hangMs > 0) continue
    sample['cpuMs'] = (product.child.cpuMs() - cpu) / latencies.length
    sample['last200'] = median(last)
  }
  await stage.gateway.hang(0, 0)
  await agents.close()
  return sample
}

async function allSent(product: Side): Promise<void> {
  const open = `select count(*)::int as n from outbox where state in ('pending', 'sending')`
  while ((await one(product, open)) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function playFloor(stage: Stage, round: number, ms: number): Promise<Sample> {
  const { floor } = stage
  const agents = await connectAgents(floor.child.url, 200, { types: ['message'], isOurs: false })
  const write = createReplier(stage, `F${round}R-`)
  const next = () => {
    const { clientId, conversation, text } = write()
    return { clientId, shot: floorShot('/reply', { conversation, clientId, text }) }
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

import { type Agents, connectAgents } from '../agents.ts'
import { allAnswered, quantile, shoot } from '../load.ts'
import type { Figure, Sample } from '../rounds.ts'
import { createWriter, floorShot, type Written, webhookShot } from '../shots.ts'
import type { Side } from '../stage.ts'
import { createSizer, drained, type MakeScenario } from './plan.ts'

const crowds = [1, 50, 200]
const perSecond = 25

const figures: Figure[] = [
  ...crowds.flatMap((crowd) => [
    {
      key: `p50of${crowd}`,
      title: `até o último de ${crowd}, p50 (piso: inserir + NOTIFY + ws)`,
      unit: 'ms',
      better: 'lower' as const,
      aim: { ratio: crowd === 1 ? 4 : 2 },
    },
    {
      key: `p99of${crowd}`,
      title: `até o último de ${crowd}, p99`,
      unit: 'ms',
      better: 'lower' as const,
      ...(crowd === 200 && { land: { ratio: 3 } }),
      aim: { ratio: crowd === 1 ? 5 : 3 },
    },
  ]),
  {
    key: 'fullPerSecond',
    title: 'mensagens por segundo a 200 atendentes (piso: só ws)',
    unit: 'por s',
    better: 'higher',
    aim: { ratio: 0.6 },
  },
  { key: 'cpuMs', title: 'processador por mensagem a 200', unit: 'ms', better: 'lower' },
]

/** S5 and S6: webhook → operators' event, and how many a second 200 of them can be told. */
export const fanout: MakeScenario = (stage, { sliceMs }) => {
  const sizer = createSizer(60, sliceMs)

  const run = async (side: 'nosso' | 'piso', round: number): Promise<Sample> => {
    const isOurs = side === 'nosso'
    const { http, child } = isOurs ? stage.product : stage.floor
    const write = createWriter(stage, `${isOurs ? 'U' : 'F'}${round}E`)
    const shotOf = isOurs ? webhookShot : (written: Written) => floorShot('/in-notify', written)
    const types = isOurs ? ['message_received'] : ['message']
    const sample: Sample = {}
    for (const crowd of crowds) {
      const agents = await connectAgents(child.url, crowd, { types, isOurs })
      const times = await tell(http, write, shotOf, agents, { ms: sliceMs, connections: 4, perSecond })
      sample[`p50of${crowd}`] = quantile(times.last, 0.5)
      sample[`p99of${crowd}`] = quantile(times.last, 0.99)
      if (crowd === 200) {
        const cpu = child.cpuMs()
        const count = sizer.countFor(side)
        const rawOf = isOurs ? webhookShot : (written: Written) => floorShot('/raw', written)
        const full = await tell(http, write, rawOf, agents, { count, connections: 8 })
        sizer.note(side, full.perSecond)
        sample['fullPerSecond'] = full.perSecond
        sample['cpuMs'] = (child.cpuMs() - cpu) / count
      }
      await agents.close()
    }
    if (isOurs) await drained(stage.product)
    return sample
  }

  return {
    name: 'fanout',
    title: 'S5 e S6 difusão: do webhook até o evento nos atendentes',
    figures,
    sides: { piso: (round) => run('piso', round), nosso: (round) => run('nosso', round) },
  }
}

/** Tells the crowd, and says of each message when its last hearer had it. */
async function tell(
  http: Side['http'],
  write: () => Written,
  shotOf: (written: Written) => ReturnType<typeof webhookShot>,
  agents: Agents,
  load: Parameters<typeof shoot>[2],
): Promise<{ last: number[]; perSecond: number }> {
  const sent: { id: string; at: number }[] = []
  const started = performance.now()
  const shooting = await shoot(
    http,
    () => {
      const written = write()
      sent.push({ id: written.id, at: performance.now() })
      return shotOf(written)
    },
    load,
  )
  allAnswered(shooting, 200)
  await Promise.all(sent.map(({ id }) => agents.heardByAll(id, 60_000)))
  const seconds = (performance.now() - started) / 1000
  return {
    last: sent.map(({ id, at }) => Math.max(...agents.delays(id, at))),
    perSecond: sent.length / seconds,
  }
}

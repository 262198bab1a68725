import { allAnswered, median, shoot } from '../load.ts'
import type { Check, Figure, Sample } from '../rounds.ts'
import { createWriter, floorShot, type Written, webhookShot } from '../shots.ts'
import type { Side, Stage } from '../stage.ts'
import { createSizer, drained, type MakeScenario, one } from './plan.ts'

const figures: Figure[] = [
  {
    key: 'oneP50',
    title: 'uma conexão, p50 (piso: a função SQL nua)',
    unit: 'ms',
    better: 'lower',
    land: { ratio: 4 },
    aim: { value: 1.5 },
  },
  { key: 'sparedP50', title: 'o mesmo a 20 por segundo', unit: 'ms', better: 'lower' },
  {
    key: 'storedPerSecond',
    title: 'guardadas por segundo, 8 conexões',
    unit: 'por s',
    better: 'higher',
    land: { ratio: 0.2 },
    aim: { value: 1300 },
  },
  { key: 'cpuMs', title: 'processador do nosso processo por mensagem', unit: 'ms', better: 'lower' },
]

/** S4: webhook → stored. Ours counts when it stands in `messages`, not when it is only acknowledged. */
export const ingest: MakeScenario = (stage, { sliceMs }) => {
  const sizer = createSizer(400, sliceMs)
  const measure = async (name: string, work: (count: number) => Promise<void>): Promise<number> => {
    const count = sizer.countFor(name)
    const started = performance.now()
    await work(count)
    const perSecond = (count * 1000) / (performance.now() - started)
    sizer.note(name, perSecond)
    return perSecond
  }

  const ours = async (round: number): Promise<Sample> => {
    const { product } = stage
    const write = createWriter(stage, `U${round}I`)
    const next = () => webhookShot(write())
    const alone = await shoot(product.http, next, { connections: 1, ms: sliceMs })
    allAnswered(alone, 200)
    await drained(product)
    const spared = await shoot(product.http, next, { connections: 1, ms: sliceMs, perSecond: 20 })
    await drained(product)
    const cpu = product.child.cpuMs()
    const count = sizer.countFor('nosso')
    const storedPerSecond = await measure('nosso', async () => {
      allAnswered(await shoot(product.http, next, { connections: 8, count }), 200)
      await drained(product)
    })
    return {
      oneP50: median(alone.latencies),
      sparedP50: median(spared.latencies),
      storedPerSecond,
      cpuMs: (product.child.cpuMs() - cpu) / count,
    }
  }

  const floor = async (round: number): Promise<Sample> => {
    const { http, db } = stage.floor
    const write = createWriter(stage, `F${round}I`)
    const alone = await bareCalls(db, write, sliceMs)
    const spared = await bareCalls(db, write, sliceMs, 50)
    const storedPerSecond = await measure('piso', async (count) => {
      allAnswered(await shoot(http, () => floorShot('/in', write()), { connections: 8, count }), 200)
    })
    return { oneP50: median(alone), sparedP50: median(spared), storedPerSecond }
  }

  return {
    name: 'ingest',
    title: 'S4 entrada: do webhook até a mensagem guardada',
    figures,
    sides: { piso: floor, nosso: ours },
    finish: async () => [await burst(stage)],
  }
}

/** The function alone, one call after the other over one connection. */
async function bareCalls(db: Side['db'], write: () => Written, ms: number, everyMs = 0): Promise<number[]> {
  const client = await db.connect()
  const latencies: number[] = []
  const until = performance.now() + ms
  while (performance.now() < until) {
    const { phone, name, id, text } = write()
    const at = performance.now()
    await client.query({
      name: 'bare',
      text: 'select floor_in($1, $2, $3, $4)',
      values: [phone, name, id, text],
    })
    latencies.push(performance.now() - at)
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  client.release()
  return latencies
}

const burstSize = 2000

/** Everything at once, every tenth twice: one row an id. */
async function burst(stage: Stage): Promise<Check> {
  const { product } = stage
  const write = createWriter(stage, 'B')
  const written = Array.from({ length: burstSize }, write)
  const shots = written.flatMap((each, n) => (n % 10 === 0 ? [each, each] : [each])).map(webhookShot)
  const started = performance.now()
  const shooting = await shoot(product.http, () => shots.pop() as (typeof shots)[0], {
    connections: 64,
    count: shots.length,
  })
  allAnswered(shooting, 200)
  await drained(product)
  const seconds = (performance.now() - started) / 1000
  const ids = written.map(({ id }) => id)
  const stored = await one(
    product,
    'select count(*)::int as n from messages where whatsapp_message_id = any($1)',
    [ids],
  )
  const lost = await one(
    product,
    `select count(*)::int as n from unnest($1::text[]) w(id)
      where not exists (select 1 from messages m where m.whatsapp_message_id = w.id)`,
    [ids],
  )
  return {
    title: `rajada de ${burstSize}, uma em dez repetida`,
    holds: lost === 0 && stored === burstSize,
    said: `${stored} linhas para ${burstSize} ids, ${lost} perdidas, em ${seconds.toFixed(1)} s`,
  }
}

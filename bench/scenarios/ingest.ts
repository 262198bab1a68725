import { allAnswered, median, runLoad } from '../load/load.ts'
import { higher, lower, type Check, type Figure, type Sample } from '../rounds.ts'
import { createWriter, floorRequest, type Written, webhookRequest } from '../load/requests.ts'
import type { Side, Environment } from '../environment/environment.ts'
import { createSizer, drained, type CreateScenario, queryNumber } from './scenario.ts'

const figures: Figure[] = [
  lower('oneP50', 'one connection, p50 (floor: the bare SQL function)', 'ms', { ratio: 4 }, { value: 1.5 }),
  lower('sparedP50', 'the same at 20 a second', 'ms'),
  higher('storedPerSecond', 'stored a second, 8 connections', '/s', { ratio: 0.4 }, { value: 1300 }),
  lower('cpuMs', 'processor time a message', 'ms', { value: 0.8 }),
]

/** S4: from webhook to stored. A message counts once it is in `messages`, not when it is acknowledged. */
export const ingest: CreateScenario = (environment, { sliceMs }) => {
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
    const { product } = environment
    const write = createWriter(environment, `U${round}I`)
    const next = () => webhookRequest(write())
    const alone = await runLoad(product.http, next, { connections: 1, ms: sliceMs })
    allAnswered(alone, 200)
    await drained(product)
    const spared = await runLoad(product.http, next, { connections: 1, ms: sliceMs, perSecond: 20 })
    await drained(product)
    const cpu = product.child.cpuMs()
    const count = sizer.countFor('ours')
    const storedPerSecond = await measure('ours', async () => {
      allAnswered(await runLoad(product.http, next, { connections: 8, count }), 200)
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
    const { http, db } = environment.floor
    const write = createWriter(environment, `F${round}I`)
    const alone = await bareCalls(db, write, sliceMs)
    const spared = await bareCalls(db, write, sliceMs, 50)
    const storedPerSecond = await measure('floor', async (count) => {
      allAnswered(await runLoad(http, () => floorRequest('/in', write()), { connections: 8, count }), 200)
    })
    return { oneP50: median(alone), sparedP50: median(spared), storedPerSecond }
  }

  return {
    name: 'ingest',
    title: 'S4 ingest: from the webhook until the message is stored',
    figures,
    sides: { floor: floor, ours: ours },
    finish: async () => [await burst(environment)],
  }
}

/** Calls the SQL function alone, over one connection. @returns milliseconds of each */
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

/** Sends everything at once, every tenth message twice, and checks that each id has one row. */
async function burst(environment: Environment): Promise<Check> {
  const { product } = environment
  const write = createWriter(environment, 'B')
  const written = Array.from({ length: burstSize }, write)
  const sent = written.flatMap((each, n) => (n % 10 === 0 ? [each, each] : [each]))
  let next = 0
  const started = performance.now()
  // In their order, and made when they are sent, as a gateway does: each says when it was.
  const result = await runLoad(product.http, () => webhookRequest(sent[next++] as Written), {
    connections: 64,
    count: sent.length,
  })
  allAnswered(result, 200)
  await drained(product)
  const seconds = (performance.now() - started) / 1000
  const ids = written.map(({ id }) => id)
  const stored = await queryNumber(
    product,
    'select count(*)::int as n from messages where whatsapp_message_id = any($1)',
    [ids],
  )
  const lost = await queryNumber(
    product,
    `select count(*)::int as n from unnest($1::text[]) w(id)
      where not exists (select 1 from messages m where m.whatsapp_message_id = w.id)`,
    [ids],
  )
  return {
    title: `burst of ${burstSize}, one in ten repeated`,
    holds: lost === 0 && stored === burstSize,
    detail: `${stored} rows for ${burstSize} ids, ${lost} lost, in ${seconds.toFixed(1)} s`,
  }
}

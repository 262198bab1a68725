import { sql } from 'drizzle-orm'
import { parseWebhook } from '#server/gateway/evolution-webhook.ts'
import { rows } from '#server/platform/db.ts'
import { createRandom } from '#simulator/random.ts'
import { readOptions, say } from './command.ts'
import { startTwoInstances, type TwoInstances, untilQuiet } from './sends/two-instances.ts'
import { deliver, planDeliveries } from './storms/deliveries.ts'
import { checkEffects } from './storms/effects.ts'
import { stormOfStrangers } from './storms/strangers.ts'
import { makeEvents, type Said, startCapture } from './storms/events.ts'

/**
 * `npm run storms -- --events 100000 --seed 7`: phones write, change, react, vote, call and read until the gateway has so
 * many events to tell; each is delivered one to twenty times, shuffled, some to both instances at the same instant. In the
 * end there must be one row of the inbox and one effect for each but for who types, which is over before anybody could work
 * it off, and every message must stand as the phones show it, with what it said when it was told first and
 * with all that it said between, once each and in order.
 * Then so many strangers write at one instant, and what is old comes back.
 */
const { events: wanted, strangers, seed } = readOptions({ events: 100_000, strangers: 1000 })
const random = createRandom(seed)

async function secretOf(at: TwoInstances): Promise<string> {
  const [row] = await rows<{ sealed: string }>(
    at.database,
    sql`select webhook_secret_encrypted as sealed from evolution_api_config where id = ${at.instanceId}`,
  )
  const [app] = at.apps
  if (!row || !app) throw new Error('the webhook is not installed')
  return app.secrets.decrypt(row.sealed)
}

/** What the gateway tells goes to us instead. */
async function captureEvents(at: TwoInstances, secret: string): Promise<{ bodies: string[]; said: Said }> {
  const capture = await startCapture()
  const [app] = at.apps
  const instance = await app?.gateway.instance(at.database, at.instanceId)
  if (!app || !instance) throw new Error('no gateway')
  await app.gateway.client.setWebhook(instance, { url: capture.url, secret })
  const said = await makeEvents(at.simulator, capture, random, wanted)
  // Ticks are still on their timers.
  for (let before = -1; before !== capture.events.size;) {
    before = capture.events.size
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await at.simulator.control.idle()
  }
  await capture.close()
  return { bodies: [...capture.events.values()], said }
}

const sayAll = (figures: Record<string, number>) =>
  say(
    Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )

async function run(at: TwoInstances): Promise<boolean> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const secret = await secretOf(at)
  await at.database.execute(sql`delete from webhook_inbox`)
  const { bodies, said } = await captureEvents(at, secret)
  const parsed = bodies.map((body) => parseWebhook(JSON.parse(body)))
  const kinds = Map.groupBy(
    parsed.flatMap((one) => one.events),
    (event) => event.kind,
  )
  const kept = parsed.filter(
    ({ events }) => events.length === 0 || events.some(({ kind }) => kind !== 'typing'),
  )
  const order = planDeliveries(bodies.length, random)
  say(`  ${bodies.length} eventos em ${seconds()} s; ${order.length} entregas`)
  const postedAt = seconds()
  const { posts, repeated } = await deliver(at.pools, { bodies, secret, random, order }, (n) =>
    say(`  ${n} entregas em ${seconds() - postedAt} s`),
  )
  const drainedAt = seconds()
  const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
  const { figures, faults } = await checkEffects(at, { keys: kept.length, said })
  if (stuck) faults.push(`parado: ${stuck}`)
  say(
    `semente ${seed}: ${bodies.length} eventos (${[...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(', ')})`,
  )
  say(
    `${posts} entregas, ${repeated} repetidas, em ${drainedAt - postedAt} s ` +
      `(${Math.round(posts / Math.max(1, drainedAt - postedAt))}/s); entrada vazia ${seconds() - drainedAt} s depois`,
  )
  sayAll(figures)
  const ofStrangers = await stormOfStrangers(at, { secret, random, strangers })
  faults.push(...ofStrangers.faults)
  sayAll(ofStrangers.figures)
  for (const fault of faults.slice(0, 30)) say(`  FALHA ${fault.slice(0, 600)}`)
  say(faults.length === 0 ? 'Cada evento teve um efeito.' : `${faults.length} falhas`)
  return faults.length === 0
}

const at = await startTwoInstances({ simulator: { seed, echoMs: 1, serverAckMs: 5, deliveryAckMs: 10 } })
try {
  process.exitCode = (await run(at)) ? 0 : 1
} finally {
  await at.close()
}

import { sql } from 'drizzle-orm'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { startTwoInstances, type TwoInstances, checkEnd, untilQuiet } from '../support/two-instances.ts'
import { deliver, planDeliveries } from './deliveries.ts'
import { checkEffects } from './effects.ts'
import { runStrangers } from './strangers.ts'
import { makeEvents, type MessageTexts, startCapture } from './events.ts'

async function secretOf(at: TwoInstances): Promise<string> {
  const [row] = await rows<{ sealed: string }>(
    at.database,
    sql`select webhook_secret_encrypted as sealed from evolution_api_config where id = ${at.instanceId}`,
  )
  const [app] = at.apps
  if (!row || !app) throw new Error('the webhook is not installed')
  return app.secrets.decrypt(row.sealed)
}

/** Receives the gateway's webhooks in the product's place. */
async function captureEvents(
  at: TwoInstances,
  { secret, random, wanted }: { secret: string; random: Random; wanted: number },
): Promise<{ bodies: string[]; texts: MessageTexts }> {
  const capture = await startCapture()
  const [app] = at.apps
  const instance = await app?.gateway.instance(at.database, at.instanceId)
  if (!app || !instance) throw new Error('no gateway')
  await app.gateway.client.setWebhook(instance, { url: capture.url, secret })
  const texts = await makeEvents(at.simulator, capture, random, wanted)
  // Receipts still wait for their timers.
  for (let before = -1; before !== capture.events.size;) {
    before = capture.events.size
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await at.simulator.control.idle()
  }
  await capture.close()
  return { bodies: [...capture.events.values()], texts }
}

const formatFigures = (figures: Record<string, number>) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/**
 * Phones write, edit, react, vote, call and read until the gateway has enough events. Each is delivered one
 * to twenty times, shuffled, some to both instances at once. At the end there must be one inbox row and one
 * effect for each event, except for typing, which is over by then. Every message must equal that on the
 * phones, with all its earlier texts once and in order. Then strangers write at the same time, and old
 * messages arrive.
 */
export const storms = defineScenario({
  /** `sweep`: seconds between two sweeps of the gateway's record. */
  options: { events: 100_000, strangers: 1000, sweep: 300 },
  nightly: { events: 10_000, strangers: 200 },

  async arrange({ options: { seed, sweep }, defer }) {
    const at = await startTwoInstances({
      sweepEveryMs: sweep * 1000,
      simulator: { seed, echoMs: 1, serverAckMs: 5, deliveryAckMs: 10 },
    })
    defer(at.close)
    const secret = await secretOf(at)
    await at.database.execute(sql`delete from webhook_inbox`)
    return { at, secret }
  },

  async act({ at, secret }, { options: { events: wanted }, random, print, seconds }) {
    const { bodies, texts } = await captureEvents(at, { secret, random, wanted })
    const parsed = bodies.map((body) => parseWebhook(JSON.parse(body)))
    const kinds = Map.groupBy(
      parsed.flatMap((one) => one.events),
      (event) => event.kind,
    )
    const kept = parsed.filter(
      ({ events }) => events.length === 0 || events.some(({ kind }) => kind !== 'typing'),
    )
    const order = planDeliveries(bodies.length, random)
    print(`  ${bodies.length} events after ${seconds()} s; ${order.length} deliveries`)
    const postedAt = seconds()
    const { posts, repeated } = await deliver(at.pools, { bodies, secret, random, order }, (n) =>
      print(`  ${n} deliveries in ${seconds() - postedAt} s`),
    )
    const drainedAt = seconds()
    const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
    print(`events: ${[...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(', ')}`)
    print(
      `${posts} deliveries, ${repeated} repeated, in ${drainedAt - postedAt} s ` +
        `(${Math.round(posts / Math.max(1, drainedAt - postedAt))}/s); ` +
        `inbox empty ${seconds() - drainedAt} s later`,
    )
    return { keys: kept.length, texts, stuck }
  },

  async check({ keys, texts, stuck }, { at, secret }, { options: { strangers }, random, print }) {
    const effects = await checkEffects(at, { keys, texts })
    print(formatFigures(effects.figures))
    // After the effects of the storm are counted, since theirs would count too.
    const ofStrangers = await runStrangers(at, { secret, random, strangers })
    print(formatFigures(ofStrangers.figures))
    return [
      { property: 'each event has one effect', checked: keys, faults: effects.faults },
      ...checkEnd(at, stuck),
      {
        property: 'strangers and old messages have one effect each',
        checked: strangers,
        faults: ofStrangers.faults,
      },
    ]
  },
})

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { systemSettings } from '#server/schema/settings.ts'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import {
  advanceClock,
  checkEnd,
  eachOf,
  startTwoInstances,
  type TwoInstances,
  untilQuiet,
} from '../support/two-instances.ts'
import { compare, makeClients, readStored, write } from './clients.ts'

const minuteMs = 60_000

/** Automatic texts that a live message would be answered with. */
const talkative = {
  ...quietSettings,
  isAutoReplyEnabled: true,
  autoReplyMessage: 'Estamos fechados',
  queueMessage: 'Você é o {{position}}º da fila',
  queueWelcomeMessage: 'Já vamos atender',
}

interface Heard {
  sounds: number
  texts: number
}

/** How often a sound or an automatic text was due so far. */
async function readHeard(at: TwoInstances): Promise<Heard> {
  const [row] = await rows<Record<keyof Heard, number>>(
    at.database,
    sql`select (select count(*)::int from events where type = 'new_conversation_with_sound') as sounds,
               (select count(*)::int from outbox where priority > 0) as texts`,
  )
  if (!row) throw new Error('nothing was read')
  return row
}

/** Waits for a sweep that began after this instant of the product's clock has settled. */
async function untilSwept(at: TwoInstances, since: Date): Promise<void> {
  for (;;) {
    const [row] = await rows<{ isSwept: boolean }>(
      at.database,
      sql`select swept_until >= ${since.toISOString()}::timestamptz - interval '1 minute'
                 and sweep_lease_until is null as "isSwept" from evolution_api_config`,
    )
    if (row?.isSwept) return
    await sleep(200)
  }
}

async function now(at: TwoInstances): Promise<Date> {
  const [row] = await rows<{ now: string }>(at.database, sql`select app_now()::text as now`)
  if (!row) throw new Error('no clock')
  return new Date(row.now)
}

/**
 * Both instances are away for an hour of the product's clock, so long that the gateway gives up on what
 * clients write. Then webhooks are dropped at random for ten minutes, while the live ones go on and both
 * instances sweep at once. Clients have addresses of every kind.
 */
export const healing = defineScenario({
  options: { incoming: 2000, dropping: 2000, chats: 300, dropOneIn: 33 },
  nightly: { incoming: 600, dropping: 600, chats: 100 },

  async arrange({ options: { seed }, defer }) {
    const at = await startTwoInstances({
      sweepEveryMs: 60 * minuteMs,
      // So that the gateway has given up within seconds.
      simulator: { seed, retryBaseMs: 2, echoMs: 5, serverAckMs: 20, deliveryAckMs: 40 },
    })
    defer(at.close)
    return at
  },

  async act(at, { options, random, print, seconds }) {
    const { incoming, dropping, chats, dropOneIn } = options
    const { control } = at.simulator
    const admin = await at.signIn('admin', 'ana')
    const phones = await makeClients(at, chats)
    const open = await rows<{ id: number }>(at.database, sql`select id from conversations order by id`)
    await eachOf(open.slice(0, chats / 2), 4, async ({ id }, n) => {
      await admin.call(n % 2, 'POST', `/api/conversations/${id}/finalize`, {})
    })
    await untilQuiet(at, { stuckAfterMs: 60_000 })
    await at.database.update(systemSettings).set({ values: talkative })

    const before = await readHeard(at)
    const awayFrom = Date.now()
    await Promise.all(at.apps.map((app) => app.stop()))
    const between = [awayFrom + 5000, awayFrom + 57 * minuteMs] as const
    const changes = write(at, { phones, from: 0, to: incoming, between, random })
    while (control.state().counters.pendingWebhooks > 0) await sleep(200)
    await advanceClock(at, 60)
    print(`  ${seconds()} s: the gateway has given up on ${incoming} messages and ${changes} changes`)
    await Promise.all([at.startAgain(0), at.startAgain(1)])
    const backAt = performance.now()
    await untilSwept(at, await now(at))
    const stuck = await untilQuiet(at, { stuckAfterMs: 60_000 })
    print(`  all is worked off ${Math.round((performance.now() - backAt) / 1000)} s after the start`)
    const after = await readHeard(at)
    const afterOutage = await readStored(at)
    const outage = compare(at, phones, afterOutage, 'after our hour away')
    const recovered = afterOutage.filter(({ isRecovered }) => isRecovered).length

    // One a second leaves, which would take longer than the rest.
    await at.database.update(systemSettings).set({ values: quietSettings })
    control.setFaults({ dropWebhook: { on: true, oneIn: dropOneIn, events: [] } })
    const droppedBefore = control.state().counters.dropped
    const beganAt = (await now(at)).getTime()
    for (let step = 0; step < 10; step++) {
      const [from, to] = [step, step + 1].map((part) => incoming + Math.round((dropping * part) / 10))
      await advanceClock(at, 61 + step)
      const within = [beganAt + step * minuteMs, beganAt + (step + 1) * minuteMs - 1000] as const
      write(at, { phones, from: from ?? 0, to: to ?? 0, between: within, random })
      await sleep(300)
    }
    await control.idle()
    const dropped = control.state().counters.dropped - droppedBefore
    control.setFaults({ dropWebhook: { on: false } })
    await advanceClock(at, 73)
    const sweptFrom = await now(at)
    // Both instances sweep, and live messages go on.
    for (const database of at.databases) database.signals.send('connected')
    const live = [sweptFrom.getTime() - 1000, sweptFrom.getTime()] as const
    write(at, { phones, from: incoming + dropping, to: incoming + dropping + chats, between: live, random })
    await untilSwept(at, sweptFrom)
    const stuckAgain = await untilQuiet(at, { stuckAfterMs: 60_000 })
    print(`  ${seconds()} s: ${dropped} webhooks were dropped`)
    const drops = compare(at, phones, await readStored(at), 'after ten minutes of dropped webhooks')

    // What was silent would have been heard.
    await at.database.update(systemSettings).set({ values: talkative })
    const stranger = control.createPhone({ id: 'last', name: 'Alguém', number: '5511900000001' })
    control.send(stranger.id, { kind: 'text', text: 'oi', at: (await now(at)).toISOString() })
    await untilQuiet(at, { stuckAfterMs: 60_000 })
    const heardLive = await readHeard(at)
    return { before, after, recovered, outage, drops, dropped, stuck: stuck ?? stuckAgain, live: heardLive }
  },

  check({ before, after, recovered, outage, drops, dropped, stuck, live }, at, { options }): Result[] {
    const { incoming } = options
    const silent = (what: 'sounds' | 'texts'): Result => ({
      property: `${what === 'sounds' ? 'no sound' : 'no automatic text'} for what was recovered`,
      checked: incoming,
      faults: after[what] > before[what] ? [`${after[what] - before[what]} ${what}`] : [],
    })
    const isHeard = live.sounds > after.sounds && live.texts > after.texts
    return [
      ...outage,
      {
        property: 'all that came while we were away is marked as recovered',
        checked: incoming,
        faults: recovered === incoming ? [] : [`${recovered} of ${incoming}`],
      },
      silent('sounds'),
      silent('texts'),
      { property: 'a live message has both', checked: 1, faults: isHeard ? [] : ['it is silent'] },
      ...drops,
      { property: 'webhooks were dropped', checked: dropped, faults: dropped > 0 ? [] : ['none was'] },
      ...checkEnd(at, stuck),
    ]
  },
})

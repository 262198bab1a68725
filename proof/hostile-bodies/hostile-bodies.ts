import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { send } from '../support/raw-request.ts'
import { startWatchedDemo, type WatchedDemo } from '../support/watched-demo.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import type { FloodEnd, FloodOptions } from './flood.ts'
import { quantile } from '../support/latencies.ts'
import { residentOf } from '../support/watch-memory.ts'
import { runsOn } from '../support/watched-results.ts'

const mostGrowthMiB = 50
const mostHealthMs = 100
/** Of ordinary traffic alone, before the flood: until garbage was collected once in full. */
const calmMs = 20_000

function flood(options: FloodOptions): Promise<FloodEnd> {
  const worker = new Worker(join(import.meta.dirname, 'flood.ts'), { workerData: options })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Repeats work until the flood is over, with a pause between. */
async function during(isOver: () => boolean, pauseMs: number, work: (n: number) => Promise<void> | void) {
  for (let n = 0; !isOver(); n++) {
    await work(n)
    await sleep(pauseMs)
  }
}

/**
 * The gateway's own webhook: a message of a client. Every other one is proven by the key in the body, as of a
 * webhook that was set up by hand.
 */
function messageOf({ instance, secret, key }: WatchedDemo, n: number) {
  const data = {
    key: { remoteJid: `55119400${String(10_000 + n)}@s.whatsapp.net`, fromMe: false, id: `FLOOD${n}` },
    pushName: `Cliente ${n}`,
    message: { conversation: `durante a enchente ${n}` },
    messageType: 'conversation',
    messageTimestamp: Math.floor(Date.now() / 1000),
  }
  return {
    method: 'POST',
    path: '/api/webhook/evolution',
    headers: {
      'content-type': 'application/json',
      ...(n % 2 === 0 && { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({ event: 'messages.upsert', instance, data, ...(n % 2 === 1 && { apikey: key }) }),
  }
}

interface Observed {
  end: FloodEnd
  /** In MiB: at most before the flood, and at most until its end. */
  memory: [number, number]
  /** Durations of `/healthz`, in milliseconds. */
  health: number[]
  posted: number
  refused: string[]
  stored: number
}

/**
 * A thousand bodies of strangers at once, from many addresses, again and again: 40 to 96 MiB, deep, slow,
 * with a wrong secret, and valid ones that take long to parse. Meanwhile memory may grow by 50 MiB,
 * `/healthz` answers, and every webhook of the real gateway is taken.
 */
export const hostileBodies = defineScenario({
  options: { bodies: 1000, seconds: 20, addresses: 61 },
  nightly: {},

  arrange: ({ defer }) => startWatchedDemo('hostile', 8, defer),

  async act(target, { options: { bodies, seconds, addresses }, print }): Promise<Observed> {
    const { program, agent, database } = target
    await program.memory()
    let [most, posted, isOver] = [residentOf(program.pid), 0, false]
    const health: number[] = []
    const refused: string[] = []
    const over = () => isOver
    const watching = [
      during(over, 20, () => void (most = Math.max(most, residentOf(program.pid)))),
      during(over, 20, async () => {
        const startedAt = performance.now()
        const answer = await send(
          program.url,
          agent,
          { method: 'GET', path: '/healthz', headers: {}, body: undefined },
          30_000,
        )
        health.push(performance.now() - startedAt)
        const status = typeof answer === 'string' ? answer : answer.status
        if (status !== 200) refused.push(`/healthz: ${status}`)
      }),
      during(over, 50, async (n) => {
        posted++
        const answer = await send(program.url, agent, messageOf(target, n), 30_000)
        const status = typeof answer === 'string' ? answer : answer.status
        if (status !== 200) refused.push(`webhook ${n}: ${status}`)
      }),
    ]
    // What the ordinary traffic itself costs a program that has just started is no growth by the flood.
    await sleep(calmMs)
    const before = most
    const port = Number(new URL(program.url).port)
    const end = await flood({ port, bodies, forMs: seconds * 1000, addresses })
    isOver = true
    await Promise.all(watching)
    for (const [answer, n] of Object.entries(end)) print(`  ${n} × ${answer}`)
    let stored = 0
    for (let tries = 0; tries < 60 && stored < posted; tries++) {
      await sleep(500)
      const [row] = await rows<{ n: number }>(
        database,
        sql`select count(*)::int as n from messages where whatsapp_message_id like 'FLOOD%'`,
      )
      stored = row?.n ?? 0
    }
    return { end, memory: [before, most], health, posted, refused, stored }
  },

  check({ end, memory: [before, most], health, posted, refused, stored }, { program }, { print }) {
    const grown = most - before
    const p99 = quantile(health, 0.99)
    const memoryLine = `${before.toFixed(0)} MiB, at most ${most.toFixed(0)}: + ${grown.toFixed(0)}`
    const p50 = quantile(health, 0.5)
    const healthLine = `/healthz × ${health.length}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
    print(memoryLine)
    print(healthLine)
    const taken = Object.entries(end).filter(([answer]) => / 200 /.test(`${answer} `))
    return [
      {
        property: 'no body of a stranger is taken',
        checked: Object.values(end).reduce((sum, n) => sum + n, 0),
        faults: taken.map(([answer, n]) => `${n} × ${answer}`),
      },
      {
        property: 'memory grows by 50 MiB at most',
        checked: 1,
        faults: grown <= mostGrowthMiB ? [] : [memoryLine],
      },
      {
        property: '/healthz answers within 100 ms, at the 99th percentile',
        checked: health.length,
        faults: p99 <= mostHealthMs ? [] : [healthLine],
      },
      {
        property: 'the webhooks of the real gateway are all taken',
        checked: posted,
        faults: stored === posted ? refused : [...refused, `${stored} of ${posted} were stored`],
      },
      runsOn(program),
    ] satisfies Result[]
  },
})

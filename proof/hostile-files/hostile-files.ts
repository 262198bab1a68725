import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { hostileWorkbooks } from '#server/testing/inputs/hostile-workbooks.ts'
import { openSessions } from '../access/world/people.ts'
import { quantile } from '../support/latencies.ts'
import { send } from '../support/raw-request.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { startWatchedDemo, type WatchedDemo } from '../support/watched-demo.ts'
import { residentOf } from '../support/watch-memory.ts'
import { runsOn } from '../support/watched-results.ts'
import { hostileCards } from './cards.ts'
import { hostileTexts } from './texts.ts'

const mostGrowthMiB = 300
const mostHealthMs = 100
const mostEventMs = 500
/** Of ordinary traffic alone, before the first file. */
const calmMs = 15_000

interface Answered {
  name: string
  isReadable: boolean
  status: number
  message: string
  ms: number
}

interface Observed {
  answers: Answered[]
  /** In MiB: at most before the first file, and at most until the last one. */
  memory: [number, number]
  /** Durations of `/healthz`, and from each webhook to its event, in milliseconds. */
  health: number[]
  events: number[]
  posted: number
  refused: string[]
}

/** Repeats work until it is over, at a steady pace whatever each time takes. */
async function every(pauseMs: number, isOver: () => boolean, work: (n: number) => Promise<void>) {
  const begun: Promise<void>[] = []
  for (let n = 0; !isOver(); n++) {
    begun.push(work(n))
    await sleep(pauseMs)
  }
  await Promise.all(begun)
}

const textOf = (n: number) => `durante a planilha ${n}`

function webhookOf({ instance, secret }: WatchedDemo, n: number) {
  const data = {
    key: { remoteJid: `5511941${String(100_000 + (n % 40))}@s.whatsapp.net`, fromMe: false, id: `SHEET${n}` },
    pushName: `Cliente ${n % 40}`,
    message: { conversation: textOf(n) },
    messageType: 'conversation',
    messageTimestamp: Math.floor(Date.now() / 1000),
  }
  return {
    method: 'POST',
    path: '/api/webhook/evolution',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ event: 'messages.upsert', instance, data }),
  }
}

/** A browser that notes when each message comes. */
async function listen(url: string, token: string, userId: number, onText: (text: string) => void) {
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, ['bearer', token])
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('message', (data) => {
    const frame = JSON.parse((data as Buffer).toString('utf8')) as {
      type: string
      data: { message?: { content: string } }
    }
    if (frame.type === 'message_received' && frame.data.message) onText(frame.data.message.content)
  })
  socket.send(JSON.stringify({ type: 'authenticate', data: { userId } }))
  return socket
}

async function upload(url: string, token: string, bytes: Uint8Array, name: string) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const body = (await answer.json()) as { message?: string }
  return { status: answer.status, message: body.message ?? '', ms: performance.now() - startedAt }
}

/**
 * Fifty workbooks and more than forty other files that cost far more to read than they are long, one after
 * the other, while twenty messages a second come in.
 */
export const hostileFiles = defineScenario({
  options: { files: 200 },
  nightly: {},

  arrange: ({ defer }) => startWatchedDemo('hostile-files', 8, defer),

  async act(target, { options, defer, print }): Promise<Observed> {
    const { program, agent, database } = target
    const [admin] = await rows<{ id: number }>(
      database,
      sql`select id from users where role = 'admin' and deleted_at is null order by id limit 1`,
    )
    const [token = ''] = await openSessions(database, [admin?.id ?? 0])
    const sentAt = new Map<string, number>()
    const [health, events, refused, answers]: [number[], number[], string[], Answered[]] = [[], [], [], []]
    const socket = await listen(program.url, token, admin?.id ?? 0, (text) => {
      const at = sentAt.get(text)
      if (at !== undefined) events.push(performance.now() - at)
    })
    defer(() => socket.terminate())
    await program.memory()
    let [most, posted, isOver] = [residentOf(program.pid), 0, false]
    const over = () => isOver
    const watching = [
      every(20, over, async () => void (most = Math.max(most, residentOf(program.pid)))),
      every(50, over, async () => {
        const startedAt = performance.now()
        const request = { method: 'GET', path: '/healthz', headers: {}, body: undefined }
        const answer = await send(program.url, agent, request, 30_000)
        health.push(performance.now() - startedAt)
        const status = typeof answer === 'string' ? answer : answer.status
        if (status !== 200) refused.push(`/healthz: ${status}`)
      }),
      every(50, over, async (n) => {
        posted++
        sentAt.set(textOf(n), performance.now())
        const answer = await send(program.url, agent, webhookOf(target, n), 30_000)
        const status = typeof answer === 'string' ? answer : answer.status
        if (status !== 200) refused.push(`webhook ${n}: ${status}`)
      }),
    ]
    await sleep(calmMs)
    const before = most
    const files = [
      ...hostileWorkbooks.map((one) => ({ ...one, file: 'lista.xlsx' })),
      ...hostileTexts.map((one) => ({ ...one, file: 'lista.csv' })),
      ...hostileCards.map((one) => ({ ...one, file: 'agenda.vcf' })),
    ].slice(0, options.files)
    for (const { name, bytes, isReadable = false, file } of files) {
      const answered = await upload(program.url, token, await bytes(), file)
      answers.push({ name, isReadable, ...answered })
      print(`  ${answered.status} in ${answered.ms.toFixed(0)} ms: ${name}: ${answered.message}`)
    }
    isOver = true
    await Promise.all(watching)
    await sleep(2000)
    return { answers, memory: [before, most], health, events, posted, refused }
  },

  check({ answers, memory: [before, most], health, events, posted, refused }, { program }, { print }) {
    const p99 = quantile(health, 0.99)
    const eventP99 = quantile(events, 0.99)
    const inMs = (all: number[]) =>
      `p50 ${quantile(all, 0.5).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms`
    const lines = {
      memory: `${before.toFixed(0)} MiB, at most ${most.toFixed(0)}: + ${(most - before).toFixed(0)}`,
      health: `/healthz × ${health.length}: ${inMs(health)}`,
      events: `events × ${events.length} of ${posted}: ${inMs(events)}`,
    }
    for (const line of Object.values(lines)) print(line)
    const inWords = ({ status, message }: Answered) =>
      [413, 422].includes(status) && /^(Não conseguimos ler|O arquivo)/.test(message)
    return [
      {
        property: 'each file is refused with a message, or read if it can be',
        checked: answers.length,
        faults: answers
          .filter((one) => !(one.isReadable ? one.status === 201 : inWords(one)))
          .map(({ name, status, message }) => `${name}: ${status} ${message}`),
      },
      {
        property: 'memory grows by 300 MiB at most',
        checked: 1,
        faults: most - before <= mostGrowthMiB ? [] : [lines.memory],
      },
      {
        property: '/healthz answers within 100 ms, at the 99th percentile',
        checked: health.length,
        faults: p99 <= mostHealthMs ? [] : [lines.health],
      },
      {
        property: 'each message is pushed, within 500 ms at the 99th percentile',
        checked: posted,
        faults: [
          ...refused,
          ...(events.length < posted ? [`${posted - events.length} of ${posted} were not pushed`] : []),
          ...(eventP99 <= mostEventMs ? [] : [lines.events]),
        ],
      },
      runsOn(program),
    ] satisfies Result[]
  },
})

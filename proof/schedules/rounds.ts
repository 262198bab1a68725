import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { wallClock } from '#shared/settings/working-hours.ts'
import { rows } from '#server/platform/database/db.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import type { Random } from '#simulator/random.ts'
import { until } from '../support/waiting.ts'
import type { Client, Stage } from './stage.ts'

const minuteMs = 60_000
const timezone = 'America/Sao_Paulo'
const hours = (minute: number) =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** What happens in the seconds in which the messages of a round are due. */
export const faults = ['kill', 'both killed', 'gateway away', 'database', 'restart'] as const
export type Fault = (typeof faults)[number]

/** Instants of the clock, in milliseconds. */
interface Closed {
  fromMs: number
  toMs: number
}

export interface Played {
  scheduled: number
  refused: string[]
  /** What the programs and the gateway have gone through. */
  faults: Fault[]
  /** When nobody worked. */
  closed: Closed[]
  answers: number
  byHand: Map<string, number>
}

/** The seconds in which the messages of a round are due. */
const dueWithinMs = 20_000

/**
 * Schedules messages to clients for the same seconds, closes the hours for some of them, and lets clients
 * answer, colleagues act, programs die, and the gateway and the database go away, while they are due.
 */
export async function playRound(
  stage: Stage,
  played: Played,
  { round, count, random }: { round: number; count: number; random: Random },
): Promise<void> {
  const last = played.closed.at(-1)
  if (last) last.toMs = Math.min(last.toMs, Date.now())
  await open(stage)
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const wanted = Array.from({ length: count }, (_, n) => ({
    n,
    client: pick(stage.clients),
    afterMs: Math.floor(random() * dueWithinMs),
    cancelOnAnswer: random() < 0.7,
    onlyOpen: random() < 0.5,
  }))
  // However long that takes, none is due meanwhile.
  const laterMs = Date.now() + 2 * 3_600_000
  await sideBySide(wanted, 12, async ({ n, client, afterMs, ...body }) => {
    const answer = await stage.call(
      client.operator,
      'POST',
      `/api/conversations/${client.conversationId}/scheduled-messages`,
      {
        ...body,
        content: `zqagenda${round}x${n}z`,
        sendAt: new Date(laterMs + afterMs).toISOString(),
        clientMessageId: `agenda-${round}-${n}`,
      },
    )
    if (answer.status === 201) played.scheduled++
    else played.refused.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  })
  if (round % 2 === 1) played.closed.push(await close(stage))
  const dueFromMs = Date.now() + 2000
  const sooner = sql`${laterMs - dueFromMs} * interval '1 millisecond'`
  await stage.database.execute(
    sql`update scheduled_messages set send_at = send_at - ${sooner}, asked_at = asked_at - ${sooner}
         where state = 'pending' and content like ${`zqagenda${round}x%`}`,
  )
  await sleep(Math.max(0, dueFromMs - Date.now()))
  const fault = faults[(round - 1) % faults.length] ?? 'kill'
  played.faults.push(fault)
  await Promise.all([
    strike(stage, fault, random),
    answerSome(stage, played, random),
    byHand(stage, played, random),
  ])
  await sleep(Math.max(0, dueFromMs + dueWithinMs - Date.now()))
  // A program that was killed at it holds the task for half a minute.
  await until(
    'what was due is decided, by the hours of this round',
    () =>
      rows(
        stage.database,
        sql`select from scheduled_messages where state = 'pending' and send_at <= app_now() limit 1`,
      ),
    (left) => left.length === 0,
    120_000,
  )
}

/** Some clients write, each at any moment in which something is due. */
async function answerSome({ clients, simulator }: Stage, played: Played, random: Random): Promise<void> {
  const writing = clients.filter(() => random() < 0.4)
  await Promise.all(
    writing.map(async ({ phoneId }: Client) => {
      await sleep(random() * dueWithinMs)
      simulator.control.sendText(phoneId, 'resposta do cliente')
      played.answers++
    }),
  )
}

/** Operators send and cancel what is about to be sent. */
async function byHand(stage: Stage, played: Played, random: Random): Promise<void> {
  const due = await rows<{ id: number; version: number; authorId: number }>(
    stage.database,
    sql`select id, version, author_id as "authorId" from scheduled_messages
         where state = 'pending' and id % 10 = 0`,
  )
  await Promise.all(
    due.map(async ({ id, version, authorId }) => {
      await sleep(random() * dueWithinMs)
      const who = stage.clients.find(({ operator }) => operator.id === authorId)?.operator
      if (!who) return
      const act = random() < 0.5 ? 'send' : 'cancel'
      const path = `/api/scheduled-messages/${id}/${act}`
      const { status } = await stage.call(who, 'POST', path, act === 'send' ? { version } : undefined)
      const what = `${act} ${status}`
      played.byHand.set(what, (played.byHand.get(what) ?? 0) + 1)
    }),
  )
}

async function strike(stage: Stage, fault: Fault, random: Random): Promise<void> {
  const [a, b] = stage.programs
  await sleep(1000 + random() * (dueWithinMs / 2))
  switch (fault) {
    case 'kill': {
      const victim = random() < 0.5 ? a : b
      await victim.kill()
      await victim.restart()
      return
    }
    case 'both killed':
      await Promise.all([a.kill(), b.kill()])
      await sleep(2000)
      await Promise.all([a.restart(), b.restart()])
      return
    case 'gateway away':
      stage.gateway.cut()
      await sleep(8000)
      stage.gateway.mend()
      return
    case 'database':
      await stage.server.stop('immediate')
      await stage.server.start()
      return
    case 'restart':
      await a.end()
      await a.restart()
      await b.end()
      await b.restart()
  }
}

const everyDay = [0, 1, 2, 3, 4, 5, 6]

/** Open at every hour. */
async function open(stage: Stage): Promise<void> {
  await save(stage, { start: '00:00', end: '00:00', days: everyDay })
}

/** Nobody works from now on, for one to two minutes. */
async function close(stage: Stage): Promise<Closed> {
  const nowMs = Date.now()
  const { minute } = wallClock(timezone, new Date(nowMs))
  await save(stage, { start: hours(minute + 2), end: hours(minute), days: everyDay })
  return { fromMs: Date.now(), toMs: (Math.floor(nowMs / minuteMs) + 2) * minuteMs }
}

async function save(stage: Stage, workingHours: object): Promise<void> {
  const body = { workingHours, lunchBreak: { enabled: false, start: '12:00', end: '13:00' } }
  const { status, body: said } = await stage.call(stage.admin, 'PATCH', '/api/system-settings', body)
  if (status >= 300) throw new Error(`the hours were not saved: ${status} ${JSON.stringify(said)}`)
}

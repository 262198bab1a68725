import { sql } from 'drizzle-orm'
import { usualTimes } from '#server/conversations/outbox/outbox-times.ts'
import { rows } from '#server/platform/database/db.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { plantEnv } from './plants.ts'
import { type Played, playRound } from './rounds.ts'
import { type Stage, startStage } from './stage.ts'

interface Observed {
  played: Played
  stuck: string | undefined
}

/**
 * Scheduled messages over kills of one and of both programs, restarts, outages of the gateway and crashes of
 * the database, closed hours, and answers of clients in the second in which they are due. Each is sent once,
 * or cancelled with its reason, and never both: in the database and on the phones. With `--plant`, one of the
 * faults of `plants.ts` is there to be found.
 */
export const schedules = defineScenario({
  options: { count: 10_000, clients: 400, rounds: 10, plant: '' },
  nightly: { count: 600, clients: 80, rounds: 5 },

  async arrange({ options: { clients, plant }, defer }): Promise<Stage> {
    return startStage({ name: 'agenda', clients, env: plantEnv(plant) }, defer)
  },

  async act(stage, { options: { count, rounds }, random, print, seconds }): Promise<Observed> {
    const played: Played = {
      scheduled: 0,
      refused: [],
      faults: [],
      closed: [],
      answers: 0,
      byHand: new Map(),
    }
    for (let round = 1; round <= rounds; round++) {
      await playRound(stage, played, { round, count: Math.ceil(count / rounds), random })
      print(`  ${played.scheduled} scheduled, the last over '${played.faults.at(-1)}', ${seconds()} s`)
    }
    return { played, stuck: await untilOver(stage) }
  },

  async check({ played, stuck }, stage, { print }): Promise<Result[]> {
    const ends = await readEnds(stage)
    const counts = Map.groupBy(ends, ({ state, reason }) => [state, reason].filter(Boolean).join(' '))
    for (const [end, of] of counts) print(`  ${end}: ${of.length}`)
    for (const [what, n] of played.byHand) print(`  by hand, ${what}: ${n}`)
    const phones = seenOnPhones(stage)
    const sent = ends.filter(({ state }) => state === 'sent')
    const faults = (wrong: (end: End) => string | undefined, of = ends) =>
      of.flatMap((end) => {
        const what = wrong(end)
        return what === undefined ? [] : [`${end.content}: ${what}`]
      })
    const isClosed = (atMs: number) =>
      played.closed.some(({ fromMs, toMs }) => atMs > fromMs + 1000 && atMs < toMs)
    return [
      { property: 'each is scheduled once', checked: played.scheduled, faults: played.refused },
      {
        property: 'each is sent, or cancelled with its reason',
        checked: ends.length,
        faults: faults(({ state, reason }) =>
          state === 'sent' || (state === 'cancelled' && reason !== null) ? undefined : `${state} ${reason}`,
        ),
      },
      {
        property: 'who was sent it has one message of it, and others none',
        checked: ends.length,
        faults: faults(({ state, messages }) =>
          messages === (state === 'sent' ? 1 : 0) ? undefined : `${state}, and ${messages} messages`,
        ),
      },
      {
        property: 'it is on the phone once, or not at all',
        checked: ends.length,
        faults: faults(({ state, content }) => {
          const times = phones.get(content) ?? 0
          return times === (state === 'sent' ? 1 : 0) ? undefined : `${state}, ${times} times on the phone`
        }),
      },
      {
        property: 'none is sent before its time',
        checked: sent.length,
        faults: faults(
          ({ atMs, askedMs, isByHand }) =>
            isByHand || atMs === null || atMs >= askedMs ? undefined : `${askedMs - atMs} ms early`,
          sent,
        ),
      },
      {
        property: 'none that waits for working hours is sent out of them',
        checked: sent.filter(({ onlyOpen }) => onlyOpen).length,
        faults: faults(
          ({ onlyOpen, atMs, isByHand }) =>
            onlyOpen && !isByHand && atMs !== null && isClosed(atMs) ? 'sent while nobody worked' : undefined,
          sent,
        ),
      },
      {
        property: 'an answer cancels what was to be cancelled, and nothing else',
        checked: ends.length,
        faults: faults(({ state, reason, cancelOnAnswer, isAnsweredBefore, isByHand }) => {
          if (state === 'sent' && cancelOnAnswer && isAnsweredBefore && !isByHand)
            return 'sent after an answer'
          return reason === 'answered' && !cancelOnAnswer ? 'cancelled without being asked to' : undefined
        }),
      },
      {
        property: 'the proof sees both: messages that are sent, and some that an answer cancels',
        checked: 2,
        faults: [
          ...(sent.length > 0 ? [] : ['nothing was sent']),
          ...(ends.some(({ reason }) => reason === 'answered') ? [] : ['no answer has cancelled anything']),
        ],
      },
      { property: 'nothing stays under way', checked: 1, faults: stuck === undefined ? [] : [stuck] },
    ]
  },
})

interface End extends Record<string, unknown> {
  content: string
  state: string
  reason: string | null
  /** Messages with its text, in any conversation. */
  messages: number
  /** When it was sent, in milliseconds since 1970. */
  atMs: number | null
  askedMs: number
  onlyOpen: boolean
  cancelOnAnswer: boolean
  isByHand: boolean
  /** The client has written since it was scheduled, and that was stored before it was sent. */
  isAnsweredBefore: boolean
}

const readEnds = ({ database }: Stage) =>
  rows<End>(
    database,
    sql`with written as materialized (
          select content, count(*)::int as n from messages where content like 'zqagenda%' group by content)
        select s.content, s.state, s.reason, s.only_open as "onlyOpen",
               s.cancel_on_answer as "cancelOnAnswer",
               s.ended_by_id is not null as "isByHand",
               (extract(epoch from s.asked_at) * 1000)::float8 as "askedMs",
               (extract(epoch from m.created_at) * 1000)::float8 as "atMs",
               coalesce(w.n, 0) as messages,
               exists (select from messages a
                        where a.conversation_id = m.conversation_id and a.sender_type = 'contact'
                          and a.id < m.id
                          and a.created_at > s.created_at + interval '1 second') as "isAnsweredBefore"
          from scheduled_messages s left join messages m on m.id = s.message_id
          left join written w on w.content = s.content
         order by s.id`,
  )

/** How often each text is on the phones. */
function seenOnPhones({ simulator, clients }: Stage): Map<string, number> {
  const seen = new Map<string, number>()
  for (const { phoneId } of clients)
    for (const bubble of simulator.control.chat(phoneId, 1_000_000))
      if (bubble.from === 'company' && bubble.text !== undefined)
        seen.set(bubble.text, (seen.get(bubble.text) ?? 0) + 1)
  return seen
}

/** What was under way at a kill is sent again once the gateway's record has lacked it for a while. */
const stuckAfterMs = usualTimes.absentMs + 120_000
const pauseMs = 500

/** Waits until nothing waits to be sent. @returns what is left after a while without progress */
async function untilOver({ database, simulator }: Stage): Promise<string | undefined> {
  let last = ''
  for (let still = 0; still * pauseMs < stuckAfterMs;) {
    const [row] = await rows<{ left: string }>(
      database,
      sql`select (select count(*) from outbox where state in ('pending', 'sending', 'unknown'))
                 || ' in the outbox, '
                 || (select count(*) from scheduled_messages where state = 'pending')
                 || ' scheduled' as left`,
    )
    const left = row?.left ?? '?'
    if (left === '0 in the outbox, 0 scheduled') return undefined
    still = left === last ? still + 1 : 0
    last = left
    await simulator.control.idle()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return last
}

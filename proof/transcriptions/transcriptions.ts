import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { startTrap } from '#server/testing/servers/trap.ts'
import { read } from '../support/http.ts'
import { quantile } from '../support/latencies.ts'
import { defineScenario } from '../support/scenario.ts'
import { until } from '../support/waiting.ts'
import { type Call, type Hearing, markupOf, wordsOf } from './hearing.ts'
import { key, type Office, openOffice } from './office.ts'
import { type Measured, measureReplies, modes, p95, ratiosOf } from './replies.ts'

/** What nobody may wait for: the replies' 95 of 100 may take so much longer. */
const mostRatio = 1.05
/** Fewer say nothing about a machine that does other things, too. */
const leastRounds = 12
/** After an answer the words may not be stored yet when the program dies. */
const unstoredMs = 1500

interface Voice extends Record<string, unknown> {
  word: string
  messageId: number
  conversationId: number
  text: string | null
  state: string | null
  reason: string | null
  version: number
}

interface Planned {
  word: string
  hearings: readonly Hearing[]
}

/** Of five voices one fails for good; half of the others are heard at the second call alone. */
function plan(random: Random, n: number): Planned {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const passing = random() < 0.5 ? [pick(['hangs', 'fault', 'cuts'] as const)] : []
  const last =
    random() < 0.2 ? pick(['megabyte', 'page', 'refuses'] as const) : random() < 0.2 ? 'markup' : 'words'
  return { word: `VOZ${n}`, hearings: [...passing, last] }
}

const voicesOf = ({ database }: Office) =>
  rows<Voice>(
    database,
    sql`select m.whatsapp_message_id as word, m.id as "messageId", m.conversation_id as "conversationId",
               m.metadata ->> 'transcription' as text, t.state, t.reason, m.version
          from messages m left join transcriptions t on t.message_id = m.id
         where m.whatsapp_message_id like 'VOZ%'`,
  )

const isOver = ({ state }: Voice) => state === 'done' || state === 'failed'

/** Kills the program again and again while voices come. @returns when it died */
async function amidKills(
  office: Office,
  { voices, kills }: { voices: number; kills: number },
  random: Random,
): Promise<{ planned: Planned[]; killedAt: number[] }> {
  const planned = Array.from({ length: voices }, (_, n) => plan(random, n))
  const killedAt: number[] = []
  let isSent = false
  const sending = (async () => {
    for (const [n, { word, hearings }] of planned.entries()) {
      office.send(n, word, hearings)
      await sleep(40 + random() * 200)
    }
    isSent = true
  })()
  for (let n = 0; n < kills; n++) {
    await sleep(300 + random() * 1500)
    killedAt.push(performance.now())
    await office.program.killAndRestart()
  }
  await sending
  if (!isSent) throw new Error('not all voices were sent')
  return { planned, killedAt }
}

/** The calls that a death has made useless: under way then, or answered and not stored. */
const lost = (calls: readonly Call[], killedAt: readonly number[]) =>
  calls.filter(({ startedAt, endedAt = Number.POSITIVE_INFINITY }) =>
    killedAt.some((at) => startedAt <= at + 50 && at <= endedAt + unstoredMs),
  ).length

async function untilOver(office: Office, count: number): Promise<Voice[]> {
  return until(
    'every voice is done or given up',
    () => voicesOf(office),
    (all) => all.length === count && all.every(isOver),
    240_000,
  )
}

/** Where the key might have been written: the database as text, the log, and answers of the API. */
async function keyFaults(office: Office): Promise<string[]> {
  const { database, program, token, logFile } = office
  const faults: string[] = []
  const tables = await rows<{ name: string }>(
    database,
    sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  for (const { name } of tables) {
    const [row] = await rows<{ has: boolean | null }>(
      database,
      sql`select bool_or(position(${key} in t::text) > 0) as has from ${sql.raw(name)} t`,
    )
    if (row?.has) faults.push(`the table ${name} has the key`)
  }
  if (readFileSync(logFile, 'utf8').includes(key)) faults.push('the log has the key')
  for (const path of ['/api/gpt-maker-config', '/api/audit-logs', '/api/system-settings']) {
    const answer = await read<unknown>(`${program.url}${path}`, { method: 'GET', token })
    if (JSON.stringify(answer).includes(key)) faults.push(`${path} answers with the key`)
  }
  return faults
}

/** A voice whose server stands at an address that nobody has declared. @returns how often it was reached */
async function undeclared(office: Office, count: number): Promise<string[]> {
  const trap = await startTrap()
  try {
    const hosts = ['127.0.0.2', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254', '0.0.0.0']
    for (const [n, host] of hosts.entries()) {
      await office.configure({ transcriptionBaseUrl: `http://${host}:${trap.port}/v1`, transcribesAll: true })
      office.send(n, `VOZ${count + n}`, ['words'])
      await untilOver(office, count + n + 1)
    }
    return trap.caught
  } finally {
    await trap.close()
  }
}

/**
 * Voices that clients send while the program is killed, to a server that hangs, fails, cuts, refuses, answers
 * a megabyte or markup; and how long replies take beside them.
 */
export const transcriptions = defineScenario({
  options: { voices: 200, kills: 25, replies: 2400, clients: 12 },
  nightly: { voices: 50, kills: 6, replies: 800 },

  async arrange({ options: { clients }, defer }) {
    return openOffice(defer, { level: 'trace', clients })
  },

  async act(office, { options, random, print, seconds }) {
    await office.configure({ transcribesAll: true })
    const { planned, killedAt } = await amidKills(office, options, random)
    const first = await untilOver(office, planned.length)
    const callsBefore = office.hearing.calls.length
    print(
      `  ${first.length} voices over ${killedAt.length} kills, ${callsBefore} calls, after ${seconds()} s`,
    )
    // Whom the deaths have used up the attempts of is asked for by a person, and done.
    const tired = first.filter(({ reason }) => reason === 'unreachable')
    for (const { messageId, conversationId } of tired)
      await read(
        `${office.program.url}/api/conversations/${conversationId}/messages/${messageId}/transcription`,
        { method: 'POST', token: office.token, body: {} },
      )
    const voices = await untilOver(office, planned.length)
    // Nobody comes back to what is done, and a person who asks for it changes nothing.
    const counts = office.hearing.calls.length
    for (const { messageId, conversationId, state } of voices)
      if (state === 'done')
        await read(
          `${office.program.url}/api/conversations/${conversationId}/messages/${messageId}/transcription`,
          { method: 'POST', token: office.token, body: {} },
        )
    await sleep(3000)
    const again = office.hearing.calls.length - counts
    const reached = await undeclared(office, planned.length)
    const keys = await keyFaults(office)
    await office.program.end()
    await office.program.restart({ LOG_LEVEL: 'error' })
    const measured = await measureReplies(office, options.replies)
    for (const mode of modes) {
      const all = measured[mode].flat()
      const what = mode === 'off' ? 'nothing is transcribed' : `the server ${mode}`
      const [half, most] = [quantile(all, 0.5), p95(measured, mode)].map((ms) => ms.toFixed(1))
      print(`  replies while ${what}: p50 ${half}, p95 ${most} ms (n = ${all.length})`)
    }
    return {
      planned,
      killedAt,
      tired: new Set(tired.map(({ word }) => word)),
      voices,
      again,
      reached,
      keys,
      measured,
    }
  },

  check({ planned, killedAt, tired, voices, again, reached, keys, measured }, { hearing }) {
    const byWord = new Map(voices.map((voice) => [voice.word, voice]))
    const outcomes = planned.flatMap((one) => outcomeFaults(one, byWord.get(one.word)))
    const calls = Map.groupBy(hearing.calls, ({ word }) => word)
    const surplus = planned.flatMap(({ word, hearings }) => {
      const own = calls.get(word) ?? []
      // Who was asked for once more has as many attempts again.
      const most = hearings.length + lost(own, killedAt) + (tired.has(word) ? 4 : 0)
      return own.length > most ? [`${word} was sent ${own.length} times, ${most} at the most`] : []
    })
    return [
      {
        property: 'each voice has its words, once, or its reason',
        checked: planned.length,
        faults: outcomes,
      },
      {
        property: 'no voice was sent more often than deaths explain',
        checked: planned.length,
        faults: surplus,
      },
      {
        property: 'what is done is not sent again',
        checked: voices.length,
        faults: again > 0 ? [`${again} calls for what was done`] : [],
      },
      {
        property: 'every call is one of the contract',
        checked: hearing.calls.length,
        faults: hearing.faults,
      },
      {
        property: 'no address was reached that nobody has declared',
        checked: 6,
        faults: reached.map((address) => `${address} was reached`),
      },
      { property: 'the key stands nowhere', checked: 1, faults: keys },
      ...speed(measured),
    ]
  },
})

function outcomeFaults({ word, hearings }: Planned, voice: Voice | undefined): string[] {
  if (!voice) return [`${word} did not come`]
  const last = hearings.at(-1)
  const has = `${voice.state} ${voice.reason ?? ''} «${voice.text?.slice(0, 60) ?? ''}»`
  const text = last === 'words' ? wordsOf(word) : last === 'markup' ? markupOf(word) : null
  if (text !== null) return voice.state === 'done' && voice.text === text ? [] : [`${word} is ${has}`]
  const reason = last === 'refuses' ? 'refused' : 'bad_answer'
  const isSo = voice.state === 'failed' && voice.reason === reason && voice.text === null
  return isSo ? [] : [`${word} is ${has}, and no ${reason}`]
}

/**
 * The middle one of all rounds is told. That replies wait is believed when two of three rounds say so: a
 * machine with more to do makes a single one say anything.
 */
const speed = (measured: Measured) =>
  (['answers', 'hangs'] as const).map((mode) => {
    const ratios = ratiosOf(measured, mode)
    const longer = ratios.filter((ratio) => ratio > mostRatio).length
    const middle = quantile(ratios, 0.5).toFixed(3)
    return {
      property: `replies wait for no server that ${mode} (p95 ${middle} of that without)`,
      checked: measured[mode].flat().length,
      faults:
        ratios.length >= leastRounds && longer * 3 >= ratios.length * 2
          ? [`in ${longer} of ${ratios.length} rounds 95 of 100 replies took over ${mostRatio} times as long`]
          : [],
    }
  })

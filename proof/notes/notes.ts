import { sql } from 'drizzle-orm'
import { usualTimes } from '#server/conversations/outbox/outbox-times.ts'
import { rows } from '#server/platform/database/db.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { createRandom } from '#simulator/random.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { act } from './acts.ts'
import type { Desk } from './desk.ts'
import { hashOf } from './note-files.ts'
import { type Office, startOffice } from './office.ts'
import { plantInDatabase } from './plants.ts'
import { Tally } from './tally.ts'
import { marksIn, noteMark, replyMark } from './wire.ts'

interface Observed {
  tally: Tally
  acts: number
  restarts: number
  stuck: string | undefined
}

/**
 * Notes are written, edited and deleted, with texts and files, while everything is tried that could send
 * them: every call, statements by hand, the AI, files for clients. The program is killed and restarted
 * meanwhile. No byte that leaves it, to the gateway or to the AI, has anything of a note, and every refusal
 * has its status and its words. With `--plant`, one of the faults of `plants.ts` is there to be found.
 */
export const notes = defineScenario({
  options: { acts: 4000, clients: 24, restarts: 4, plant: '' },
  nightly: { acts: 20_000, clients: 60, restarts: 10 },

  async arrange({ options: { clients, plant }, defer }): Promise<Office> {
    const office = await startOffice({ clients, plant }, defer)
    await plantInDatabase(office.database, plant)
    return office
  },

  async act(office, { options: { acts, restarts }, random, print, seconds }): Promise<Observed> {
    const tally = new Tally()
    const desks = office.clients.map((client): Desk => ({
      office,
      client,
      tally,
      random: createRandom(Math.floor(random() * 2 ** 32)),
    }))
    const rounds = restarts + 1
    let done = 0
    for (let round = 1; round <= rounds; round++) {
      const each = Math.ceil(acts / rounds / desks.length)
      await sideBySide(desks, 16, async (desk) => {
        for (let n = 0; n < each; n++) await act(desk)
      })
      done += each * desks.length
      print(`  ${done} acts, ${office.wires.gateway.replies.size} replies on their way, ${seconds()} s`)
      if (round === rounds) break
      // As it stands, with what is under way; and in order.
      if (round % 2 === 1) await office.program.kill()
      else await office.program.end()
      await office.program.restart()
    }
    return { tally, acts: done, restarts, stuck: await untilSent(office) }
  },

  async check({ tally, stuck }, office, { print }): Promise<Result[]> {
    for (const [what, n] of [...tally.answers].toSorted(([a], [b]) => a.localeCompare(b)))
      print(`  ${what}: ${n}`)
    const { gateway, assistant } = office.wires
    const texts = await controlTexts(office)
    print(`${tally.hashes.size} files of notes; ${gateway.bytes + assistant.bytes} bytes have left`)
    return [
      {
        property: 'no byte to the gateway has anything of a note',
        checked: gateway.bytes,
        faults: [...gateway.found].map(([mark, around]) => `${mark}: ${JSON.stringify(around)}`),
      },
      {
        property: 'no byte to the AI has anything of a note',
        checked: assistant.bytes,
        faults: [...assistant.found].map(([mark, around]) => `${mark}: ${JSON.stringify(around)}`),
      },
      { property: 'no phone has a word or a file of a note', ...onPhones(office, tally) },
      {
        property: 'a file for a client has nothing of a note',
        checked: tally.leaks.checked,
        faults: tally.leaks.faults,
      },
      {
        property: 'whatever would send a note is refused, with status and words',
        checked: tally.refusals.checked,
        faults: tally.refusals.faults,
      },
      {
        property: 'the database refuses what is written by hand',
        checked: tally.statements.checked,
        faults: tally.statements.faults,
      },
      {
        property: 'everything else is answered as usual, and nothing with 5xx',
        checked: tally.others.checked,
        faults: tally.others.faults,
      },
      { property: 'nothing that is sent or waits to be is of a note', ...(await inDatabase(office)) },
      {
        property: 'the proof sees what leaves: replies, and notes where they belong',
        checked: tally.controls.checked + texts.checked,
        faults: [...tally.controls.faults, ...texts.faults],
      },
      { property: 'nothing stays under way', checked: 1, faults: stuck ? [stuck] : [] },
    ]
  },
})

/**
 * What was under way when the program was killed is sent again only once the gateway's record has lacked it
 * for a minute, and the client's other messages wait behind it.
 */
const stuckAfterMs = usualTimes.absentMs + 30_000
const pauseMs = 500

/** Waits until the outbox has nothing to send. @returns what is left after a while without progress */
async function untilSent({ database, simulator }: Office): Promise<string | undefined> {
  let last = ''
  for (let still = 0; still * pauseMs < stuckAfterMs;) {
    const [row] = await rows<{ left: string }>(
      database,
      sql`select count(*)::text as left from outbox where state in ('pending', 'sending', 'unknown')`,
    )
    const left = row?.left ?? '?'
    if (left === '0') return undefined
    still = left === last ? still + 1 : 0
    last = left
    await simulator.control.idle()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return `${last} messages in the outbox`
}

/** Everything that the phones show, and the files that they got. */
function onPhones({ simulator, clients }: Office, tally: Tally): Omit<Result, 'property'> {
  const faults: string[] = []
  let checked = 0
  for (const { phoneId } of clients)
    for (const bubble of simulator.control.chat(phoneId, 1_000_000)) {
      if (bubble.from !== 'company') continue
      checked++
      const marks = marksIn(JSON.stringify(bubble))
      if (marks.length > 0) faults.push(`${phoneId}: ${marks.join()}`)
      const base64 = simulator.control.media(bubble.id)?.base64
      if (base64 !== undefined && tally.hashes.has(hashOf(Buffer.from(base64, 'base64'))))
        faults.push(`${phoneId}: the file of a note`)
    }
  for (const line of simulator.control.log()) {
    checked++
    if (marksIn(JSON.stringify(line)).length > 0) faults.push(`the log: ${JSON.stringify(line)}`)
  }
  return { checked, faults }
}

/** Rows that lead to WhatsApp: the outbox, and messages that are no notes and no lines of the team. */
async function inDatabase({ database }: Office): Promise<Omit<Result, 'property'>> {
  const found = await rows<{ what: string }>(
    database,
    sql`select 'a note in the outbox: ' || o.id as what
          from outbox o join messages m on m.id = o.message_id where m.message_type = 'note'
        union all
        select 'a note that WhatsApp knows: ' || id from messages
         where message_type = 'note' and (whatsapp_message_id is not null or delivery_status is not null)
        union all
        select m.message_type || ' ' || m.id || ' has the words of a note' from messages m
         where m.message_type not in ('note', 'event')
           and m.content || coalesce(m.file_name, '') || coalesce(m.quoted_content, '')
               like ${`%${noteMark}%`}
        union all
        select 'a draft has the words of a note' from conversation_drafts
         where content like ${`%${noteMark}%`}`,
  )
  const [count] = await rows<{ n: number }>(database, sql`select count(*)::int as n from messages`)
  return { checked: count?.n ?? 0, faults: found.map(({ what }) => what) }
}

/** Every reply that was sent has been seen on the wire. */
async function controlTexts({ database, wires }: Office): Promise<Omit<Result, 'property'>> {
  const sent = await rows<{ content: string }>(
    database,
    sql`select m.content from outbox o join messages m on m.id = o.message_id
         where o.state = 'sent' and m.content like ${`%${replyMark}%`}`,
  )
  const missed = sent.flatMap(({ content }) => {
    const [mark = ''] = new RegExp(`${replyMark}\\d+z`).exec(content) ?? []
    return wires.gateway.replies.has(mark) ? [] : [`${mark} was sent and not seen`]
  })
  return { checked: sent.length, faults: missed }
}

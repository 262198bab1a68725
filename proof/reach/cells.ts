import type { Random } from '#simulator/random.ts'
import type { Outcome } from '../access/law/expected.ts'
import { freshenSessions } from '../access/world/people.ts'
import type { Answer } from '../access/world/world.ts'
import { eachOf } from '../support/two-instances.ts'
import { answerTo, isCompleted, knows, reads } from './law.ts'
import { type Call, calls, type Maker, type Named, nothing } from './calls.ts'
import { type Reader, readers } from './people.ts'
import { dropTalks, factsOf, makeTalks, type Talk } from './talks.ts'
import { homeOf, type ReachWorld } from './world.ts'
import { type Found, grouped } from './grouped.ts'

/** A call of a person about a conversation, with what it must be answered with. */
interface Cell {
  call: Call
  reader: Reader
  n: number
  talk: Talk
  expected: Outcome
  isRead: boolean
}

/** What came of the cells. */
export interface Judged {
  cells: number
  wrong: string[]
  /** How many answers were compared with that to an id of nothing, and those that differ. */
  compared: number
  telling: string[]
}

/** Six at a time keep two instances and the database busy. */
const together = 6

function cellOf(call: Call, reader: Reader, n: number, talk: Talk): Cell {
  const isCard = call.isTaking === true && knows(reader, n, talk) === 'card'
  const isRead = (isCard || reads(reader, n, talk)) && (!call.isOfArchive || isCompleted(talk))
  const permitted = call.found === 'passes' || call.found === 'anything' ? 200 : call.found
  const expected = answerTo(reader, call.deciding(talk, n), { isRead, permitted })
  return { call, reader, n, talk, expected, isRead }
}

/** Every cell, or of each kind of call the given share of them, chosen by chance. */
function cellsOf({ talks }: ReachWorld, share: number, random: Random): Cell[] {
  const cells: Cell[] = []
  for (const call of calls)
    for (const [n, reader] of readers.entries())
      for (const talk of talks) {
        if (talk.owner !== undefined && talk.owner !== n) continue
        if (call.fits?.(talk) === false || random() >= share) continue
        cells.push(cellOf(call, reader, n, talk))
      }
  return cells
}

function makerOf(at: ReachWorld, n: number): Maker {
  const { world, sites } = at
  const userId = world.callers[n]?.userId ?? 0
  return { n, userId, colleagueId: world.colleague.userId, sectorId: sites.sectors.B, home: homeOf(at, n) }
}

const isRefusal = (status: number) => status === 401 || status === 403 || status === 404

function isAsExpected({ call, expected, isRead }: Cell, status: number): boolean {
  // The gateway knows nothing of these messages.
  if (call.found === 'anything' && isRead && status >= 502) return true
  if (status >= 500) return false
  if (expected !== 200 || !isRead) return status === expected
  if (call.found === 'anything') return true
  return call.found === 'passes' ? !isRefusal(status) : status === call.found
}

/** An answer without the ids that it was asked with, and without what differs between any two. */
function withoutIds({ text, headers }: Answer, named: Named): string {
  const ids = [
    named.file,
    ...[named.id, named.messageId, named.replyId, named.noteId, named.pictureId].map(String),
  ]
  const body = ids.filter((id) => id !== '' && id !== '0').reduce((all, id) => all.replaceAll(id, '#'), text)
  return `${Object.keys(headers).toSorted().join()} ${String(headers['content-length'])} ${body}`
}

const describe = ({ sector, number, state }: Talk) =>
  `${sector ? `sector ${sector}` : 'no sector'}, number ${number}, ${state}`

/** Makes the calls of the cells. Whoever may act does it on a conversation of its own. */
export async function tryCells(at: ReachWorld, share: number, random: Random): Promise<Judged> {
  const { world, sites } = at
  const all = cellsOf(at, share, random)
  await freshenSessions(world.database)
  const acting = all.filter(({ call, isRead }) => call.isAct && isRead)
  for (let first = 0; first < acting.length; first += 2000) {
    const some = acting.slice(first, first + 2000)
    const made = await makeTalks(
      world,
      sites,
      some.map(({ talk }) => factsOf(talk)),
    )
    for (const [k, cell] of some.entries()) cell.talk = made[k] ?? cell.talk
  }
  const makers = readers.map((_, n) => makerOf(at, n))
  const wrong: Found[] = []
  const telling: Found[] = []
  const ofNothing = new Map<string, Promise<Answer>>()
  let compared = 0
  const send = ({ call, n }: Cell, named: Named) => {
    const maker = makers[n] as Maker
    const token = world.callers[n]?.token
    return world.send(n, { method: call.method, token, ...call.target(named, maker) })
  }
  // What is refused comes first, so that nothing that is permitted disturbs it.
  const order = [...all.filter(({ isRead }) => !isRead), ...all.filter(({ isRead }) => isRead)]
  await eachOf(order, together, async (cell) => {
    const answer = await send(cell, cell.talk)
    const { call, reader, talk, expected, n } = cell
    const example = `'${reader.name}' (${describe(talk)}): ${answer.text.slice(0, 160)}`
    if (!isAsExpected(cell, answer.status)) {
      const shown = call.found === 'passes' && expected === 200 ? 'a success' : expected
      wrong.push({ what: `${call.name}: ${answer.status} instead of ${shown}`, example })
    } else if (expected === 404) {
      const key = `${calls.indexOf(call)} ${n}`
      const asked = ofNothing.get(key) ?? send(cell, nothing)
      ofNothing.set(key, asked)
      compared++
      if (withoutIds(answer, talk) !== withoutIds(await asked, nothing))
        telling.push({ what: `${call.name}: another answer than for an id of nothing`, example })
    }
  })
  return { cells: all.length, wrong: grouped(wrong), compared, telling: grouped(telling) }
}

/**
 * For a cell that must be refused: asks whether it is, each time of a conversation of its own if the call
 * would change it.
 * @returns undefined for a cell that is not answered with 404
 */
export function holdsFor(
  at: ReachWorld,
  call: Call,
  n: number,
  talk: Talk,
): (() => Promise<boolean>) | undefined {
  const { world, sites } = at
  if (call.fits?.(talk) === false) return undefined
  const cell = cellOf(call, readers[n] as Reader, n, talk)
  if (cell.expected !== 404) return undefined
  return async () => {
    const [own = talk] = call.isAct ? await makeTalks(world, sites, [factsOf(talk)]) : []
    const target = call.target(own, makerOf(at, n))
    const answer = await world.send(n, { method: call.method, token: world.callers[n]?.token, ...target })
    if (call.isAct) await dropTalks(world, [own])
    return isAsExpected(cell, answer.status)
  }
}

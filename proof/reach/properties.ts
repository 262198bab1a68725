import type { Context, Result } from '../support/scenario.ts'
import { missingCalls, calls } from './calls.ts'
import { tryCells } from './cells.ts'
import { tryLists } from './lists.ts'
import { readers } from './people.ts'
import { tryLosses } from './losses.ts'
import { trySockets } from './sockets.ts'
import { tryTaking } from './taking.ts'
import type { ReachWorld } from './world.ts'

/** How much of each property is tried. */
export type Amounts = Record<'share' | 'lists' | 'losses', number>

/** Everything that the proof shows of a server as it is. */
export async function tryAll(
  at: ReachWorld,
  { options: { share, lists, losses }, random, print, seconds }: Context<Amounts>,
): Promise<Result[]> {
  print(`  ${at.talks.length} conversations in ${seconds()} s`)
  const people = [...readers.keys()].filter(() => random() < lists)
  const listed = await tryLists(at, people)
  print(`  the lists of ${people.length} people in ${seconds()} s`)
  const sockets = await trySockets(at, random)
  print(`  the sockets of everybody in ${seconds()} s`)
  const lost = await tryLosses(at, losses)
  print(`  what people lose, in ${seconds()} s`)
  const cells = await tryCells(at, share, random)
  print(`  ${cells.cells} cells in ${seconds()} s`)
  const taking = await tryTaking(at, people)
  const missing = await missingCalls()
  return [
    { property: 'every cell is answered as the law says', checked: cells.cells, faults: cells.wrong },
    {
      property: 'what is out of reach is answered like an id of nothing',
      checked: cells.compared,
      faults: cells.telling,
    },
    {
      property: 'lists and counts have what the law says',
      checked: listed.checked,
      faults: listed.faults,
    },
    {
      property: 'frames are of what is within reach, also from an old cursor',
      checked: sockets.checked,
      faults: sockets.faults,
    },
    {
      property: 'a second after it is lost nothing more of it comes',
      checked: lost.checked,
      faults: lost.faults,
    },
    {
      property: 'who takes the next one gets it from a queue of theirs',
      checked: taking.checked,
      faults: taking.faults,
    },
    {
      property: 'every call about a conversation is made',
      checked: calls.length,
      faults: missing.map((call) => `${call}: add it to proof/reach/calls.ts`),
    },
  ]
}

import { sql } from 'drizzle-orm'
import type { Random } from '#simulator/random.ts'
import { calls } from './calls.ts'
import { holdsFor } from './cells.ts'
import { flagsOf } from '../access/law/expected.ts'
import { tryLosses } from './losses.ts'
import { leaveTraces, tryPersonsLists } from './lists.ts'
import { type Facts, isCompleted, knows } from './law.ts'
import { type Reader, readers } from './people.ts'
import { dropTalks, makeTalks, type Talk } from './talks.ts'
import { trySockets } from './sockets.ts'
import { tryTaking } from './taking.ts'
import type { ReachWorld } from './world.ts'

/** Something that holds of the server as it is. */
export interface Probe {
  what: string
  cost: number
  /** @returns what does not; undefined if all is well */
  wrong(): Promise<string | undefined>
}

/** People of whom each sees something else. */
const people = [
  'operator, own, in A, one number, more flags',
  'operator, sector, in A, all numbers, more flags',
  'supervisor, sector, in A, one number, more flags',
  'supervisor, sector, in no sector, all numbers, more flags',
  'operator, all, in no sector, one number, flags of the role',
]
const placeOf = (name: string) => readers.findIndex((reader) => reader.name === name)

/** Cells that must be refused, the lists of some, sockets, and the next one of the queue. */
export async function makeProbes(at: ReachWorld, random: Random): Promise<Probe[]> {
  await leaveTraces(at)
  const numbers = people.map((name) => placeOf(name))
  const shared = at.talks.filter(({ owner }) => owner === undefined)
  const cells = calls.flatMap((call) =>
    numbers.flatMap((n) =>
      shared
        .filter((talk) => (call.isOfArchive ? isCompleted(talk) : talk.sector !== null))
        .flatMap((talk): Probe[] => {
          const holds = holdsFor(at, call, n, talk)
          const what = `${call.name}, '${readers[n]?.name}', ${talk.state}`
          const wrong = async () => ((await holds?.()) === false ? 'another answer' : undefined)
          return holds ? [{ what, cost: 1, wrong }] : []
        }),
    ),
  )
  const first = (faults: readonly string[]) => faults[0]
  return [
    ...cells,
    ...writingTo(at, numbers),
    justCompleted(at, numbers[0] ?? 0),
    ...numbers.map((n): Probe => ({
      what: `the lists of '${readers[n]?.name}'`,
      cost: 10,
      wrong: async () => {
        const [fault] = await tryPersonsLists(at, n)
        return fault && `${fault.what}, ${fault.example}`
      },
    })),
    {
      what: 'an export while its conversations leave',
      cost: 15,
      wrong: async () => first((await tryLosses(at, 1, 'it goes to another sector')).faults),
    },
    { what: 'take-next', cost: 5, wrong: async () => first((await tryTaking(at, numbers)).faults) },
    { what: 'the sockets', cost: 20, wrong: async () => first((await trySockets(at, random)).faults) },
  ]
}

/** Nobody reaches an open conversation out of their reach by its client: neither writes to it nor ends it. */
function writingTo(at: ReachWorld, numbers: readonly number[]): Probe[] {
  const { world, sites } = at
  const states = ["a colleague's", 'in the queue'] as const
  const acts = [
    ['canCreateConversations', 'send-message', { content: 'Bom dia' }],
    ['canBlockContacts', 'block', undefined],
  ] as const
  return numbers.flatMap((n) =>
    acts.flatMap(([flag, act, body]) =>
      states.flatMap((state): Probe[] => {
        const facts: Facts = { sector: 'B', number: 1, state, owner: undefined }
        const reader = readers[n] as Reader
        if (!flagsOf(reader).has(flag) || knows(reader, n, facts) !== 'none') return []
        const wrong = async () => {
          const talk = (await makeTalks(world, sites, [facts]))[0] as Talk
          const token = world.callers[n]?.token
          const path = `/api/contacts/${talk.contactId}/${act}`
          const { status, text } = await world.send(n, { method: 'POST', path, token, body })
          await dropTalks(world, [talk])
          return status === 409 ? undefined : `${status} ${text}`
        }
        return [{ what: `${act} to the client of one out of reach, '${reader.name}'`, cost: 2, wrong }]
      }),
    ),
  )
}

/** An act comes too late for what was open a moment ago, but not for what was never seen. */
function justCompleted(at: ReachWorld, n: number): Probe {
  const { world, sites } = at
  const facts: Facts = { sector: 'B', number: 1, state: "completed, a colleague's", owner: undefined }
  const wrong = async () => {
    const [talk] = await makeTalks(world, sites, [facts])
    if (!talk) return 'nothing was made'
    await world.database.execute(sql`update conversations set completed_at = app_now() where id = ${talk.id}`)
    const path = `/api/conversations/${talk.id}/assistant`
    const { status } = await world.send(n, { method: 'GET', path, token: world.callers[n]?.token })
    await dropTalks(world, [talk])
    return status === 404 ? undefined : String(status)
  }
  return { what: 'one that was completed a moment ago', cost: 2, wrong }
}

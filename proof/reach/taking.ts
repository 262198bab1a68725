import { sql } from 'drizzle-orm'
import { eachOf } from '../support/two-instances.ts'
import { type Found, grouped } from './grouped.ts'
import { type Facts, takesFrom } from './law.ts'
import type { Listed } from './lists.ts'
import { type Reader, readers } from './people.ts'
import { dropTalks, makeTalks } from './talks.ts'
import type { ReachWorld } from './world.ts'

/** 'Assumir próxima' takes from the queues of whoever asks, and from no other. */
export async function tryTaking(at: ReachWorld, people: readonly number[]): Promise<Listed> {
  const { world, sites, all } = at
  const queued = all.filter(({ state }) => state === 'in the queue')
  // One of each queue for everybody, so that nobody finds a queue empty that is theirs.
  const wanted: Facts[] = people.flatMap(() =>
    queued.map(({ sector, number, state }) => ({
      sector,
      number,
      state,
      owner: undefined,
    })),
  )
  const made = await makeTalks(world, sites, wanted)
  // These come first, and are deleted afterwards, so that lists stay as they are.
  await world.database.execute(
    sql`update conversations set started_at = started_at - interval '1 day'
         where id = any(${sql.param(made.map(({ id }) => id))}::int[])`,
  )
  const faults: Found[] = []
  await eachOf(people, 4, async (n) => {
    const reader = readers[n] as Reader
    const path = '/api/conversations/take-next'
    const answer = await world.send(n, { method: 'POST', path, token: world.callers[n]?.token, body: {} })
    const isAny = queued.some((talk) => takesFrom(reader, talk))
    const taken = answer.status === 200 ? factsOfAnswer(at, answer.text) : undefined
    const isRight = isAny ? taken !== undefined && takesFrom(reader, taken) : answer.status === 404
    const got = taken ? `sector ${taken.sector}, number ${taken.number}` : answer.text.slice(0, 100)
    if (!isRight) faults.push({ what: `take-next: ${answer.status}`, example: `'${reader.name}': ${got}` })
  })
  await dropTalks(world, made)
  return { checked: people.length, faults: grouped(faults) }
}

/** Where the conversation of an answer was. */
function factsOfAnswer({ sites }: ReachWorld, text: string): Facts {
  const { conversation } = JSON.parse(text) as {
    conversation: { sectorId: number | null; instanceId: number }
  }
  const { sectorId, instanceId } = conversation
  return {
    sector: sectorId === null ? null : sectorId === sites.sectors.A ? 'A' : 'B',
    number: instanceId === sites.numbers[0] ? 1 : 2,
    state: 'in the queue',
    owner: undefined,
  }
}

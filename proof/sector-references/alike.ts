import { sql } from 'drizzle-orm'
import { attachPictures, makeNotes } from '../access/world/messages.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { shown } from '../references/references.ts'
import { eachOf } from '../support/two-instances.ts'

/**
 * Two clients who differ in nothing but that one has conversations, of which the people know nothing, with
 * messages, files, notes and a rating: nothing that is told of a client tells which is which.
 */
export interface Alike {
  talked: Talk
  silent: Talk
}

export async function makeAlike(world: World, sectorId: number): Promise<Alike> {
  const holderId = world.colleague.userId
  const [talked, silent] = (await makeTalks(world, [{ holderId }, { holderId }])) as [Talk, Talk]
  const [ended] = (await makeTalks(world, [{ holderId, isCompleted: true }])) as [Talk]
  await attachPictures(world, [talked, ended])
  await makeNotes(world, [{ conversationId: talked.id, senderId: holderId }])
  const { database } = world
  await database.execute(
    sql`update conversations set contact_id = ${talked.contactId} where id = ${ended.id}`,
  )
  await database.execute(
    sql`insert into conversation_ratings (conversation_id, contact_id, operator_id, service_rating,
               operator_rating, feedback)
        values (${ended.id}, ${talked.contactId}, ${holderId}, 4, 4, 'bom')`,
  )
  await database.execute(
    sql`update conversations set sector_id = ${sectorId} where id in (${talked.id}, ${ended.id})`,
  )
  await database.execute(sql`delete from conversations where id = ${silent.id}`)
  await database.execute(
    sql`update contacts set created_at = app_now(), updated_at = app_now()
         where id in (${talked.contactId}, ${silent.contactId})`,
  )
  return { talked, silent }
}

const pathsOf = ({ contactId, phone }: Talk): string[] => [
  `/api/contacts/${contactId}`,
  `/api/contacts/${contactId}/conversations`,
  `/api/contacts/${contactId}/media`,
  `/api/contacts/${contactId}/media?kind=visual`,
  `/api/contacts/${contactId}/media?kind=file`,
  `/api/contacts/${contactId}/ratings`,
  `/api/contacts/${contactId}/avatar`,
  `/api/contacts?search=${phone}`,
  `/api/conversations/search?search=${phone}`,
  `/api/conversations/archived?search=${phone}`,
]

/** Asks everybody about both. @returns the differing pairs */
export async function askAlike(
  world: World,
  { talked, silent }: Alike,
): Promise<{ compared: number; differing: string[] }> {
  const differing: string[] = []
  let compared = 0
  const both = pathsOf(talked).map((path, n) => [path, pathsOf(silent)[n] ?? ''] as const)
  await eachOf(world.callers, 4, async (caller, n) => {
    for (const pair of both) {
      const [a = '', b = ''] = await Promise.all(
        pair.map(async (path, k) => {
          const answer = await world.send(n, { method: 'GET', path, token: caller.token })
          const { contactId, phone } = k === 0 ? talked : silent
          return shown(answer)
            .replaceAll(phone, 'PHONE')
            .replaceAll(phone.slice(-8), 'PHONE')
            .replaceAll(new RegExp(`\\b${contactId}\\b`, 'g'), 'ID')
            .replaceAll(/etag,[^;]*;/g, '')
        }),
      )
      compared++
      if (a !== b) differing.push(`${pair[0]}, ${caller.principal.name}: ${a} and of the other ${b}`)
    }
  })
  return { compared, differing }
}

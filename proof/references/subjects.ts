import { sql } from 'drizzle-orm'
import type { Subject } from '#shared/endpoint.ts'
import { attachPictures, makeMessages } from '../access/world/messages.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'
import { things } from '../rooms.ts'
import type { Kind, MakeThing } from './thing.ts'

/** No ids at all. @see security S-01 */
export const malformed = [
  '0',
  '-1',
  '2147483648',
  '9223372036854775808',
  '1e3',
  '1 ',
  '１',
  '1;',
  '1,2',
  '01',
  '+1',
  '1.0',
  '__proto__',
  '3f0c6f1e-8a4b-4c8e-9d0a-0f6b7f3a2c11',
  '9'.repeat(10_240),
] as const

/** How the things of each kind of id are made. A new one without them does not compile, and is named. */
const makers: Readonly<Record<Subject, MakeThing>> = things

/** An id of each kind, and of the conversation that the message of the kind is in. */
export interface Things extends Record<Subject, Record<Kind, string>> {
  /** An open conversation, and what the paths of wrong parents name. */
  parent: Talk
}

/** Makes one thing of each kind and subject. Nobody but the colleague has anything to do with them. */
export async function makeThings(world: World): Promise<Things> {
  const holderId = world.colleague.userId
  const [foreign, archived, deleted, parent] = (await makeTalks(world, [
    { holderId },
    { holderId, isCompleted: true },
    { holderId, isCompleted: true },
    { holderId },
  ])) as [Talk, Talk, Talk, Talk]
  const talks = { foreign, archived, deleted }
  const [file = '', archivedFile = '', deletedFile = ''] = await attachPictures(world, Object.values(talks))
  await makeMessages(world, [{ conversationId: foreign.id, senderId: holderId, state: 'pending' }])
  await world.database.execute(sql`delete from conversations where id = ${deleted.id}`)
  await world.database.execute(
    // Longer ago than it can be restored.
    sql`update contacts set deleted_at = app_now() - interval '1 hour' where id = ${deleted.contactId}`,
  )
  const pictures = { foreign: file, archived: archivedFile, deleted: deletedFile }
  const made: Partial<Record<Subject, Record<Kind, string>>> = {}
  for (const subject of Object.keys(makers) as Subject[])
    made[subject] = await makers[subject]({ world, holderId, talks, pictures })
  return { ...(made as Record<Subject, Record<Kind, string>>), parent }
}

import { sql } from 'drizzle-orm'
import type { Subject } from '#shared/endpoint.ts'
import { attachPictures, makeMessages } from '../access/world/messages.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { Caller } from '../access/world/people.ts'
import type { World } from '../access/world/world.ts'
import { things } from '../rooms.ts'
import type { Kind, MakeThing, Place } from './thing.ts'

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
  /** An open conversation, and what the paths of wrong parents name; one that the caller reads. */
  parentOf(caller: Caller): Talk
}

/** Makes one thing of each kind and subject. Nobody but the colleague has anything to do with them. */
export async function makeThings(world: World): Promise<Things> {
  const holderId = world.colleague.userId
  const place = await makePlace(world)
  const [parent] = await makeTalks(world, [{ holderId }])
  const made: Partial<Record<Subject, Record<Kind, string>>> = {}
  for (const subject of Object.keys(makers) as Subject[]) made[subject] = await makers[subject](place)
  return { ...(made as Record<Subject, Record<Kind, string>>), parentOf: () => parent as Talk }
}

/** The subjects whose ids are those of a conversation, or of what is in it. */
const ofTalk = ['conversation', 'message', 'file', 'contact', 'profile picture'] as const

/** The ids of what other conversations have. */
export async function thingsOf(place: Place): Promise<Pick<Things, (typeof ofTalk)[number]>> {
  const made: Partial<Record<Subject, Record<Kind, string>>> = {}
  for (const subject of ofTalk) made[subject] = await makers[subject](place)
  return made as Record<(typeof ofTalk)[number], Record<Kind, string>>
}

/** Conversations of the colleague: an open one, a completed one, and one that is deleted, with pictures. */
export async function makePlace(world: World): Promise<Place> {
  const holderId = world.colleague.userId
  const [foreign, archived, deleted] = (await makeTalks(world, [
    { holderId },
    { holderId, isCompleted: true },
    { holderId, isCompleted: true },
  ])) as [Talk, Talk, Talk]
  const talks = { foreign, archived, deleted }
  const [file = '', archivedFile = '', deletedFile = ''] = await attachPictures(world, Object.values(talks))
  await makeMessages(world, [{ conversationId: foreign.id, senderId: holderId, state: 'pending' }])
  await world.database.execute(sql`delete from conversations where id = ${deleted.id}`)
  await world.database.execute(
    // Longer ago than it can be restored.
    sql`update contacts set deleted_at = app_now() - interval '1 hour' where id = ${deleted.contactId}`,
  )
  return { world, holderId, talks, pictures: { foreign: file, archived: archivedFile, deleted: deletedFile } }
}

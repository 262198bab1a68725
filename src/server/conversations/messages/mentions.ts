import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { listMentionable, type Mentionable, type Mentioned } from '#shared/messages/mentions.ts'
import { pictureUrlOf } from '#shared/users/profile.ts'
import { type Kept, type Mentioned as Told } from '#server/notifications/notifications.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { mayRead } from '#server/platform/http/reach.ts'
import { listPresence } from '#server/platform/live/presence.ts'
import { conversations } from '#server/schema/conversations/conversations.ts'
import { reachFactColumns } from '#server/schema/conversations/people.ts'
import { listLivingSectors } from '#server/sectors/sectors.ts'
import { listPeople } from '#server/users/users.ts'
import { expectReadable } from '#server/conversations/store/access.ts'

/** Everybody who may sign in, which sectors there are, and what decides who reads a conversation. */
async function readTeam(db: Db, conversationId: number) {
  const [[facts], people, presence, sectors] = await Promise.all([
    db.select(reachFactColumns).from(conversations).where(eq(conversations.id, conversationId)),
    listPeople(db),
    listPresence(db),
    listLivingSectors(db),
  ])
  const readers = people.filter((person) => facts && mayRead(person, facts))
  const readerIds = new Set(readers.map(({ id }) => id))
  /** Those of a sector who are there, and may read the conversation. */
  const availableOf = (sectorId: number) =>
    readers
      .filter(({ sectors: own }) => own.some(({ id }) => id === sectorId))
      .filter(({ id }) => presence.get(id)?.state === 'online')
      .map(({ id }) => id)
  return { people, presence, readerIds, sectors: sectors.filter(({ isActive }) => isActive), availableOf }
}

/**
 * Whom a note of a conversation can mention, by name; oneself is not among them.
 * @throws AppError 404 when the person may not read it
 */
export async function readMentionable(db: Db, who: Who, conversationId: number): Promise<Mentionable> {
  const ofOthers = listMentionable.rows['GET /api/conversations/{completed}/mentionable']
  await expectReadable(db, who, conversationId, ofOthers)
  const { people, presence, readerIds, sectors, availableOf } = await readTeam(db, conversationId)
  return {
    people: people
      .filter(({ id }) => id !== who.id)
      .map(({ id, name, picture }) => ({
        id,
        name,
        pictureUrl: pictureUrlOf(picture),
        presence: presence.get(id)?.state ?? ('offline' as const),
        isReader: readerIds.has(id),
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
    sectors: sectors.map(({ id, name, color }) => ({
      id,
      name,
      color,
      available: availableOf(id).filter((userId) => userId !== who.id).length,
    })),
  }
}

/** What a note mentions, and whom that tells something new. */
export interface Mentions {
  mentions: Mention[]
  told: Told[]
  kept: Kept
}

const isSame = (a: Mentioned[number], b: Mentioned[number]) =>
  a.userId === b.userId && a.sectorId === b.sectorId

/**
 * Finds out whom a note of a locked conversation mentions. Its author is told nothing; of a sector, those who
 * are there now.
 * @param asked absent: those of before that the text still has
 * @param before what the note mentioned until now, which it may go on mentioning
 * @throws AppError 422 for somebody who may not read the conversation, or is gone, or whom the text does not
 *   name
 */
export async function findMentions(
  db: Tx,
  { id: authorId }: Who,
  note: { conversationId: number; content: string },
  { asked, before = [] }: { asked: Mentioned | undefined; before?: readonly Mention[] | undefined },
): Promise<Mentions> {
  const isWritten = (name: string) => note.content.includes(`@${name}`)
  const wanted = asked ?? before.filter(({ name }) => isWritten(name))
  const distinct = wanted.filter((one, n) => wanted.findIndex((other) => isSame(one, other)) === n)
  if (distinct.length === 0) return { mentions: [], told: [], kept: { userIds: [], sectorIds: [] } }
  const { people, readerIds, sectors, availableOf } = await readTeam(db, note.conversationId)
  const nameOf = (one: Mentioned[number]): string => {
    const known = before.find((other) => isSame(one, other))
    // Somebody who was renamed since is still called by the former name.
    if (known && isWritten(known.name)) return known.name
    const found =
      one.userId === undefined
        ? sectors.find(({ id }) => id === one.sectorId)
        : people.find(({ id }) => id === one.userId)
    if (!found) throw new AppError('notes.mention_unknown')
    const values = { name: found.name }
    if (one.userId !== undefined && !known && !readerIds.has(one.userId))
      throw new AppError('notes.mention_out_of_reach', { values })
    if (!isWritten(found.name)) throw new AppError('notes.mention_not_written', { values })
    return found.name
  }
  const mentions = distinct.map(({ userId, sectorId }): Mention => ({
    ...(userId !== undefined && { userId }),
    ...(sectorId !== undefined && { sectorId }),
    name: nameOf({ userId, sectorId }),
  }))
  const isKept = (one: Mention) => before.some((other) => isSame(one, other))
  const idsOf = (field: 'userId' | 'sectorId', some: readonly Mention[]) =>
    some.flatMap((one) => one[field] ?? [])
  const [old, fresh] = [mentions.filter(isKept), mentions.filter((one) => !isKept(one))]
  const byName = idsOf('userId', fresh).map((userId) => ({ userId, sectorId: null }))
  const bySector = idsOf('sectorId', fresh).flatMap((sectorId) =>
    availableOf(sectorId).map((userId) => ({ userId, sectorId })),
  )
  // Whoever is mentioned twice is told by name.
  const told = new Map([...bySector, ...byName].map((one) => [one.userId, one]))
  told.delete(authorId)
  return {
    mentions,
    told: [...told.values()],
    kept: { userIds: idsOf('userId', old), sectorIds: idsOf('sectorId', old) },
  }
}

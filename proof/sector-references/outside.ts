import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { attachPictures, makeFiles, makeNotes } from '../access/world/messages.ts'
import { type Caller, makeAccounts } from '../access/world/people.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { otherSlots, pathSlots, prepareRows, type Sight, type Slot } from '../references/slots.ts'
import { makePlace, makeThings, type Things, thingsOf } from '../references/subjects.ts'
import { type Kind, neverId, neverName, type Place as ThingPlace } from '../references/thing.ts'
import { type Alike, makeAlike } from './alike.ts'
import { moreSlots } from './more-slots.ts'
import { isKnown, outsiders, type Place, places } from './outsiders.ts'

/** The running servers, the people, and every place of an id with things that they know nothing of. */
export interface Outside {
  world: World
  slots: Slot[]
  alike: Alike
}

interface Sites {
  /** The second number, which not everybody has. */
  numberId: number
  sectors: { A: number; B: number }
}

async function insertedId(world: World, statement: ReturnType<typeof sql>): Promise<number> {
  const [row] = await rows<{ id: number }>(world.database, statement)
  if (!row) throw new Error('nothing was inserted')
  return row.id
}

async function makeSites(world: World): Promise<Sites> {
  const sector = (name: string) =>
    insertedId(world, sql`insert into sectors (name, color) values (${name}, '#2563eb') returning id`)
  const numberId = await insertedId(
    world,
    sql`insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url, is_active)
        select 'loja2', api_key_encrypted, api_key_hint, base_url, true from evolution_api_config
         where id = ${world.at.instanceId} returning id`,
  )
  return { numberId, sectors: { A: await sector('Alfa'), B: await sector('Beta') } }
}

/** Gives everybody their scope, number and sector; the colleague is in both sectors. */
async function giveReach({ database, callers, colleague, at }: World, { sectors }: Sites): Promise<void> {
  for (const [n, { scope, membership, isOfOneNumber }] of outsiders.entries()) {
    const userId = callers[n]?.userId
    await database.execute(
      sql`update users set scope = ${scope},
                 number_ids = case when ${isOfOneNumber} then array[${at.instanceId}::int] end
           where id = ${userId}`,
    )
    if (membership === 'none') continue
    await database.execute(
      sql`insert into sector_people (user_id, sector_id, is_lead)
          values (${userId}, ${sectors.A}, ${membership === 'lead of A'})`,
    )
  }
  await database.execute(
    sql`insert into sector_people (user_id, sector_id) select ${colleague.userId}, id from sectors`,
  )
}

/** Moves the conversations of things to where the place says. */
async function settle({ world, talks }: ThingPlace, place: Place, sites: Sites): Promise<void> {
  const ids = sql.param([talks.foreign.id, talks.archived.id])
  const sectorId = place.sector && sites.sectors[place.sector]
  await world.database.execute(
    sql`update conversations set sector_id = ${sectorId},
               instance_id = ${place.number === 2 ? sites.numberId : world.at.instanceId}
         where id = any(${ids}::int[])`,
  )
  await world.database.execute(
    sql`update messages set instance_id = v.instance_id from conversations v
         where v.id = messages.conversation_id and v.id = any(${ids}::int[])`,
  )
  if (!place.isQueued) return
  await world.database.execute(
    sql`update conversations set assigned_user_id = null, status = 'waiting', sub_status = 'FILA'
         where id = ${talks.foreign.id}`,
  )
  await world.database.execute(
    sql`insert into queue_pending_conversations (conversation_id, contact_id)
        values (${talks.foreign.id}, ${talks.foreign.contactId})`,
  )
}

/** A note with a file in each of the conversations, and one that was taken out of the database. */
async function addNotes(place: ThingPlace): Promise<Pick<Things, 'message' | 'file'>> {
  const { world, holderId, talks } = place
  const made = await makeNotes(
    world,
    [talks.foreign, talks.archived, talks.foreign].map(({ id }) => ({
      conversationId: id,
      senderId: holderId,
    })),
  )
  const names = await makeFiles(
    world,
    made.map((messageId) => ({ messageId })),
  )
  await world.database.execute(
    sql`update messages set file_name = 'nota.png', file_mime_type = 'image/png', file_size = f.size_bytes,
               file_url = '/api/media/files/' || f.name
          from files f where f.message_id = messages.id and messages.message_type = 'note'`,
  )
  await world.database.execute(sql`delete from messages where id = ${made[2] ?? 0}`)
  const byKind = (from: readonly (string | number)[], never: string): Record<Kind, string> => ({
    foreign: String(from[0]),
    archived: String(from[1]),
    deleted: String(from[2]),
    never,
  })
  return { message: byKind(made, neverId), file: byKind(names, neverName) }
}

/** Of each client of a caller a conversation that a colleague has completed in another sector. */
async function makePast(
  world: World,
  open: ReadonlyMap<Caller, Talk>,
  sectorId: number,
): Promise<Map<Caller, Talk>> {
  const holderId = world.colleague.userId
  const past = await makeTalks(
    world,
    [...open].map(() => ({ holderId, isCompleted: true })),
  )
  await attachPictures(world, past)
  for (const [n, { contactId }] of [...open.values()].entries())
    await world.database.execute(
      sql`update conversations set contact_id = ${contactId}, sector_id = ${sectorId}
           where id = ${past[n]?.id}`,
    )
  return new Map([...open.keys()].map((caller, n) => [caller, past[n] as Talk]))
}

/** Whatever somebody has is nobody else's. */
const sightAt = (world: World, place: Place): Sight => ({
  isTalkHidden: (kind, caller) => !isKnown(place, kind, world.callers.indexOf(caller)),
  isOtherHidden: (subject, kind) =>
    ['quick response', 'saved report', 'session', 'profile picture'].includes(subject) ||
    kind === 'deleted' ||
    kind === 'never',
})

const named = (slots: readonly Slot[], name: string): Slot[] =>
  slots.map((slot) => ({ ...slot, name: `${slot.name}, ${name}` }))

export async function startOutside(defer: (close: () => unknown) => void): Promise<Outside> {
  const world = await startWorld(outsiders, defer)
  // Things of administrators are somebody's.
  await makeAccounts(world.database, [{ username: 'chefe', role: 'admin' }])
  const sites = await makeSites(world)
  await giveReach(world, sites)
  const ofCallers = async (isCompleted: boolean) => {
    const made = await makeTalks(
      world,
      world.callers.map(({ userId }) => ({ holderId: userId, isCompleted })),
    )
    return new Map(world.callers.map((caller, n) => [caller, made[n] as Talk]))
  }
  const [open, completed] = [await ofCallers(false), await ofCallers(true)]
  const past = await makePast(world, open, sites.sectors.B)
  const all: Things = { ...(await makeThings(world)), parentOf: (caller) => open.get(caller) as Talk }
  const states = ['blocked', 'inactive', 'deleted'] as const
  const gone = await makeAccounts(
    world.database,
    states.map((state) => ({ username: `sem-acesso-${state}`, role: 'operator' as const, state })),
  )
  const receivers = Object.fromEntries(states.map((state, n) => [state, String(gone[n])]))
  const prepared = await prepareRows(world)
  const isAboutTalk = ({ ids }: (typeof prepared)[number]) =>
    Object.values(ids).some((of) => ['conversation', 'message', 'file'].includes(of))
  const slots: Slot[] = []
  for (const [n, place] of places.entries()) {
    const made = await makePlace(world)
    await settle(made, place, sites)
    const things: Things = { ...all, ...(await thingsOf(made)) }
    const sight = sightAt(world, place)
    const rowsHere = n === 0 ? prepared : prepared.filter((one) => isAboutTalk(one))
    const ofPaths = rowsHere.flatMap((one) => pathSlots(one, things, sight))
    const others = otherSlots(things, n === 0 ? receivers : {}, sight)
    const further = moreSlots({ things, sight, completed, past, sites, isFirst: n === 0 })
    slots.push(...named([...ofPaths, ...others, ...further], place.name))
    const noted: Things = { ...things, ...(await addNotes(made)) }
    const ofNotes = rowsHere.filter(({ ids }) =>
      Object.values(ids).some((of) => of === 'message' || of === 'file'),
    )
    slots.push(
      ...named(
        [
          ...ofNotes.flatMap((one) => pathSlots(one, noted, sight)),
          ...otherSlots(noted, {}, sight).filter(({ ids }) => ids === noted.message),
        ],
        `a note ${place.name}`,
      ),
    )
  }
  return { world, slots, alike: await makeAlike(world, sites.sectors.B) }
}

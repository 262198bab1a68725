import { sql } from 'drizzle-orm'
import { indexAll } from '#server/conversations/conversations.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { computeFacts } from '#server/reports/reports.ts'
import { startWorld, type World } from '../access/world/world.ts'
import { type Facts, type Sector, type State, states } from './law.ts'
import { readers } from './people.ts'
import { addPictures, makeTalks, type Sites, type Talk } from './talks.ts'

/** The running servers with everybody and every kind of conversation. */
export interface ReachWorld {
  world: World
  sites: Sites
  /** Those that everybody finds, and those that were made for one person, whose place is their `owner`. */
  talks: readonly Talk[]
  /** A client with completed conversations in every sector and at both numbers. */
  regular: { contactId: number; talks: readonly Talk[] }
  /** All of these. */
  all: readonly Talk[]
  /** Those of which the audit log says that the colleague did something. */
  audited: readonly Talk[]
  /** The days of a report in which all have begun, as a query says them. */
  days: string
}

const sectorsOfTalks: readonly Sector[] = ['A', 'B', null]
const isForOne = (state: State) => /\bmine\b|\bI\b/.test(state)

/** Of each kind of conversation one: those that depend on the person once for each of them. */
function allFacts(): Facts[] {
  return sectorsOfTalks.flatMap((sector) =>
    ([1, 2] as const).flatMap((number) =>
      states.flatMap((state): Facts[] =>
        isForOne(state)
          ? readers.map((_, owner) => ({ sector, number, state, owner }))
          : [{ sector, number, state, owner: undefined }],
      ),
    ),
  )
}

async function insertedId(database: Database, statement: ReturnType<typeof sql>): Promise<number> {
  const [row] = await rows<{ id: number }>(database, statement)
  if (!row) throw new Error('nothing was inserted')
  return row.id
}

async function makeSites({ database, at }: World): Promise<Sites> {
  const second = await insertedId(
    database,
    sql`insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url, is_active)
        select 'loja2', api_key_encrypted, api_key_hint, base_url, true from evolution_api_config
         where id = ${at.instanceId} returning id`,
  )
  const sector = (name: string) =>
    insertedId(database, sql`insert into sectors (name, color) values (${name}, '#2563eb') returning id`)
  const companyId = await insertedId(
    database,
    sql`insert into companies (name) values ('Empresa de prova') returning id`,
  )
  const sectors = { A: await sector('Alfa'), B: await sector('Beta') }
  return { numbers: [at.instanceId, second], sectors, companyId }
}

/** Gives everybody their scope, numbers and sectors, before they have made any call. */
async function giveReach({ database, callers }: World, { numbers, sectors }: Sites): Promise<void> {
  const people = readers.map(({ scope, isOfOneNumber }, n) => ({
    id: callers[n]?.userId,
    scope,
    numbers: isOfOneNumber ? [numbers[0]] : null,
  }))
  await database.execute(
    sql`update users set scope = w.scope, number_ids = w.numbers
          from json_to_recordset(${JSON.stringify(people)}::json) as w(id int, scope text, numbers int[])
         where users.id = w.id`,
  )
  const members = readers.flatMap(({ membership }, n) => {
    const user_id = callers[n]?.userId
    const isLead = membership === 'lead of A'
    return [
      ...(membership === 'none' ? [] : [{ user_id, sector_id: sectors.A, is_lead: isLead }]),
      ...(membership === 'A and B' ? [{ user_id, sector_id: sectors.B, is_lead: false }] : []),
    ]
  })
  await database.execute(
    sql`insert into sector_people (user_id, sector_id, is_lead) select user_id, sector_id, is_lead
          from json_to_recordset(${JSON.stringify(members)}::json)
            as w(user_id int, sector_id int, is_lead bool)`,
  )
}

/** What searches and reports are answered from, up to everything that is stored. */
export async function bringUpToDate({ database }: World): Promise<void> {
  await indexAll(database)
  await computeFacts(database)
}

/** What the colleague did, as acts leave it. */
async function writeAudit({ database, colleague }: World, talks: readonly Talk[]): Promise<void> {
  await database.execute(
    sql`insert into audit_logs (user_id, action, resource_type, resource_id, instance_id, outcome, details)
        select ${colleague.userId}, 'conversation.priority', 'conversation', id::text, instance_id, 'done',
               '{"changes": {"priority": ["normal", "high"]}}'
          from conversations where id = any(${sql.param(talks.map(({ id }) => id))}::int[])`,
  )
}

export async function startReachWorld(defer: (close: () => unknown) => void): Promise<ReachWorld> {
  const world = await startWorld(readers, defer)
  // The colleague is in both sectors, so that conversations can be given to them.
  const sites = await makeSites(world)
  await giveReach(world, sites)
  await world.database.execute(
    sql`insert into sector_people (user_id, sector_id) select ${world.colleague.userId}, id from sectors`,
  )
  const talks = await makeTalks(world, sites, allFacts())
  await addPictures(
    world,
    talks.filter(({ owner }) => owner === undefined),
  )
  const [first] = talks
  if (!first) throw new Error('no conversation was made')
  const completed = allFacts().filter(({ state }) => state === "completed, a colleague's")
  const regular = await makeTalks(
    world,
    sites,
    completed.map((facts) => ({ ...facts, contactId: first.contactId })),
  )
  await addPictures(world, regular)
  const all = [...talks, ...regular]
  const audited = all.filter(({ owner }) => owner === undefined)
  await writeAudit(world, audited)
  await bringUpToDate(world)
  const of = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return {
    world,
    sites,
    talks,
    regular: { contactId: first.contactId, talks: [first, ...regular] },
    all,
    audited,
    days: `startDate=${of(10)}&endDate=${of(0)}`,
  }
}

/** A conversation of each person's own, which they read whatever their scope. */
export const homeOf = ({ talks }: ReachWorld, n: number): Talk => {
  const found = talks.find(
    ({ owner, state, sector, number }) => owner === n && state === 'mine' && sector === null && number === 1,
  )
  if (!found) throw new Error('somebody has no conversation')
  return found
}

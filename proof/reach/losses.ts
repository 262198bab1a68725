import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { LiveFrame } from '#shared/live-events.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import { freshenSessions, makeAccounts, openSessions, type Caller } from '../access/world/people.ts'
import { listenAll, untilHeard } from '../access/world/sockets.ts'
import type { Answer } from '../access/world/world.ts'
import type { Listed } from './lists.ts'
import { changeAll } from './sockets.ts'
import { dropTalks, makeTalks, type Talk } from './talks.ts'
import { bringUpToDate, type ReachWorld } from './world.ts'

// Somebody loses what they knew of while their requests, a socket and an export are under way.

interface Loss {
  what: string
  role: 'operator' | 'supervisor'
  scope: 'sector' | 'all'
  /** Whether they are in the sector of the conversation. */
  isMember: boolean
  /**
   * What the export waits for meanwhile, which the loss itself does not: the table by which it chooses its
   * rows, or one from which it reads them.
   */
  holds: 'conversation_facts' | 'conversation_ratings'
  /** By an administrator. */
  lose(at: ReachWorld, userId: number, talk: Talk): Promise<Answer>
}

/** How many requests are under way at any moment. */
const together = 50
/** So long after the loss nothing more of it may come. */
const graceMs = 1000

async function withoutPerson({ world, sites }: ReachWorld, userId: number): Promise<Answer> {
  const people = await rows<{ userId: number; isLead: boolean }>(
    world.database,
    sql`select user_id as "userId", is_lead as "isLead" from sector_people
         where sector_id = ${sites.sectors.A} and user_id <> ${userId}`,
  )
  return byAdmin(world, 'PATCH', `/api/sectors/${sites.sectors.A}`, { people })
}

async function byAdmin(
  { callers, send }: ReachWorld['world'],
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> {
  const admin = callers.find(({ principal }) => 'role' in principal && principal.role === 'admin')
  return send(1, { method, path, body, token: admin?.token })
}

const changeScope =
  (scope: 'own' | 'sector') =>
  ({ world }: ReachWorld, userId: number) =>
    byAdmin(world, 'PUT', `/api/user-permissions/${userId}/scope`, { scope })

const losses: readonly Loss[] = [
  {
    what: 'leaves the sector',
    role: 'supervisor',
    scope: 'sector',
    isMember: true,
    holds: 'conversation_facts',
    lose: withoutPerson,
  },
  {
    what: 'from all to own',
    role: 'operator',
    scope: 'all',
    isMember: false,
    holds: 'conversation_facts',
    lose: changeScope('own'),
  },
  {
    what: 'from all to sector',
    role: 'supervisor',
    scope: 'all',
    isMember: false,
    holds: 'conversation_facts',
    lose: changeScope('sector'),
  },
  {
    what: 'it goes to another sector',
    role: 'supervisor',
    scope: 'sector',
    isMember: true,
    holds: 'conversation_ratings',
    lose: ({ world, sites }, _userId, { id }) =>
      byAdmin(world, 'PATCH', `/api/conversations/${id}/sector`, { sectorId: sites.sectors.B }),
  },
]

async function makeLoser({ world, sites }: ReachWorld, loss: Loss): Promise<Caller> {
  const username = `perde-${world.next()}`
  const [userId = 0] = await makeAccounts(world.database, [{ username, role: loss.role }])
  await world.database.execute(sql`update users set scope = ${loss.scope} where id = ${userId}`)
  if (loss.isMember)
    await world.database.execute(
      sql`insert into sector_people (user_id, sector_id) values (${userId}, ${sites.sectors.A})`,
    )
  const [token] = await openSessions(world.database, [userId])
  return { principal: { name: loss.what, role: loss.role, record: null }, userId, username, token }
}

/** Nothing is read of the table until it is released. */
async function holdReports({ world }: ReachWorld, table: Loss['holds']): Promise<() => Promise<void>> {
  let release = () => {}
  let isHeld = () => {}
  const held = new Promise<void>((resolve) => (isHeld = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const done = inTransaction(world.database, async (db) => {
    await db.execute(sql`lock table ${sql.raw(table)} in access exclusive mode`)
    isHeld()
    await released
  })
  await held
  return () => {
    release()
    return done
  }
}

interface Seen {
  path: string
  beganAt: number
  tells: boolean
}

/** Asks for the conversation all the time, in all ways. @returns what was answered */
function keepAsking({ world }: ReachWorld, { token }: Caller, talk: Talk): () => Promise<Seen[]> {
  const seen: Seen[] = []
  let isOver = false
  const paths = [
    `/api/conversations/${talk.id}`,
    `/api/conversations/${talk.id}/messages`,
    `/api/contacts/${talk.contactId}/conversations`,
    `/api/conversations/${talk.id}/media`,
    '/api/conversations?tab=going&order=activity&page=1&limit=10',
  ]
  const asking = Array.from({ length: together }, async (_, n) => {
    for (let k = n; !isOver; k++) {
      const path = paths[k % paths.length] ?? ''
      const beganAt = performance.now()
      const { status, text } = await world.send(k, { method: 'GET', path, token })
      const isList = !path.startsWith(`/api/conversations/${talk.id}`)
      const tells = status === 200 && (isList ? text.includes(`"id":${talk.id},`) : true)
      seen.push({ path: path.replace(/\d{2,}/, 'N'), beganAt, tells })
    }
  })
  return async () => {
    isOver = true
    await Promise.all(asking)
    return seen
  }
}

const isAbout = (frame: LiveFrame, { id }: Talk) =>
  frame.type !== 'conversation_removed' &&
  (JSON.stringify(frame).includes(`novidade-${id}-secreta`) ||
    JSON.stringify(frame).includes(`"conversationId":${id},`))

async function suffer(at: ReachWorld, loss: Loss): Promise<Listed> {
  const { world, sites } = at
  const loser = await makeLoser(at, loss)
  const facts = { sector: 'A', number: 1, state: "a colleague's", owner: undefined } as const
  const [talk] = await makeTalks(world, sites, [facts])
  if (!talk) throw new Error('no conversation was made')
  await bringUpToDate(world)
  await freshenSessions(world.database)
  const [ear] = await listenAll(world, [loser])
  if (!ear) throw new Error('nobody listens')
  ear.send({ type: 'authenticate', data: { userId: loser.userId } })
  const greeted = ear.frames.find(({ type }) => type === 'hello')
  await changeAll(at, [talk])
  await untilHeard(world, [ear])
  const faults: string[] = []
  const fault = (what: string) => void faults.push(`${loss.what}: ${what}`)
  if (!ear.frames.some((frame) => isAbout(frame, talk))) fault('nothing was heard of it before')

  const release = await holdReports(at, loss.holds)
  const path = `/api/reports/export?${at.days}&part=rows&format=csv`
  const exporting = world.send(0, { method: 'GET', path, token: loser.token })
  const stopAsking = keepAsking(at, loser, talk)
  await sleep(600)
  const answer = await loss.lose(at, loser.userId, talk)
  if (answer.status >= 300) fault(`the loss is refused: ${answer.status} ${answer.text}`)
  const lostAt = performance.now()
  await sleep(graceMs)
  const before = ear.frames.length
  await changeAll(at, [talk])
  await release()
  await untilHeard(world, [ear])
  await sleep(500)
  const seen = await stopAsking()

  if (!seen.some(({ beganAt, tells }) => beganAt < lostAt && tells)) fault('it was never read')
  const late = seen.filter(({ beganAt }) => beganAt > lostAt + graceMs)
  const told = late.find(({ tells }) => tells)
  if (told) fault(`${told.path} is answered a second later`)
  if (late.length === 0) fault('nothing was asked for afterwards')
  const frame = ear.frames.slice(before).find((one) => isAbout(one, talk))
  if (frame) fault(`a frame a second later: ${JSON.stringify(frame).slice(0, 200)}`)
  const file = await exporting
  if (loss.role === 'supervisor' && file.status !== 200) fault(`the export: ${file.status}`)
  if (file.text.includes(`20200101${String(talk.id).padStart(6, '0')}`)) fault('a row of the export')

  const [again] = await listenAll(world, [loser])
  if (!again) throw new Error('nobody listens')
  const { cursor: lastCursor, epoch } = greeted ?? {}
  again.send({ type: 'authenticate', data: { userId: loser.userId, lastCursor, epoch } })
  await untilHeard(world, [again])
  if (!again.frames.some(({ type }) => type === 'resumed')) fault('the old cursor is not resumed')
  const replayed = again.frames.find((one) => isAbout(one, talk))
  if (replayed) fault(`a frame from the old cursor: ${JSON.stringify(replayed).slice(0, 200)}`)
  for (const one of [ear, again]) one.close()
  await dropTalks(world, [talk])
  return { checked: seen.length + ear.frames.length + again.frames.length, faults }
}

/** Every way to lose sight of a conversation, or those whose names have a word. */
export async function tryLosses(at: ReachWorld, times: number, only = ''): Promise<Listed> {
  const all: Listed = { checked: 0, faults: [] }
  for (let time = 0; time < times; time++)
    for (const loss of losses.filter(({ what }) => what.includes(only))) {
      const { checked, faults } = await suffer(at, loss)
      all.checked += checked
      all.faults.push(...faults)
    }
  return all
}

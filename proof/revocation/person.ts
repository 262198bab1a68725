import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import { flagNames } from '../access/law/table.ts'
import { makeTalks, type Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'

/**
 * Somebody with every flag, and a conversation of a colleague: what is his own waits for the taking itself.
 */
export interface Victim {
  id: number
  token: string
  talk: Talk
}

export async function makeVictim(world: World): Promise<Victim> {
  const record = Object.fromEntries(flagNames.map((flag) => [flag, true]))
  const username = `vitima-${world.next()}`
  const [id = 0] = await makeAccounts(world.database, [{ username, role: 'supervisor', record }])
  const [token = ''] = await openSessions(world.database, [id])
  const [talk] = await makeTalks(world, [{ holderId: world.colleague.userId }])
  if (!talk) throw new Error('no conversation was made')
  return { id, token, talk }
}

/** How rights are taken, and what is answered to whom from then on. */
export const takings = {
  'the flag to edit': {
    call: (id: number) => ({
      method: 'PUT',
      path: `/api/user-permissions/${id}`,
      body: { canEditConversations: false, canTransferConversations: false },
    }),
    isOver: false,
    seesLess: false,
  },
  'the flag to view': {
    call: (id: number) => ({
      method: 'PUT',
      path: `/api/user-permissions/${id}`,
      body: { canViewConversations: false, canEditConversations: false, canTransferConversations: false },
    }),
    isOver: false,
    seesLess: true,
  },
  'the role': {
    call: (id: number) => ({ method: 'PUT', path: `/api/users/${id}`, body: { role: 'operator' } }),
    isOver: true,
    seesLess: true,
  },
  'the account, by a block': {
    call: (id: number) => ({ method: 'POST', path: `/api/users/${id}/toggle-block` }),
    isOver: true,
    seesLess: true,
  },
  'the account, by deletion': {
    call: (id: number) => ({ method: 'DELETE', path: `/api/users/${id}` }),
    isOver: true,
    seesLess: true,
  },
} as const
export type Taking = keyof typeof takings
export const takingNames = Object.keys(takings) as Taking[]

/** When rights were taken at the latest, by the clock of this process and by that of the database. */
export interface Taken {
  atMs: number
  databaseMs: number
}

/** An administrator takes the rights of a person, by one of the two instances. */
export async function take(world: World, taking: Taking, id: number, instance: number): Promise<Taken> {
  const admin = world.callers.find(({ principal }) => principal.name === 'admin')
  const answer = await world.send(instance, { ...takings[taking].call(id), token: admin?.token })
  const atMs = performance.now()
  if (answer.status >= 300) throw new Error(`${taking} was not taken: ${answer.status} ${answer.text}`)
  const [clock] = await rows<{ ms: number }>(
    world.database,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return { atMs, databaseMs: clock?.ms ?? 0 }
}

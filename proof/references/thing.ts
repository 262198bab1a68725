import type { SQL } from 'drizzle-orm'
import type { Subject } from '#shared/endpoint.ts'
import { rows } from '#server/platform/database/db.ts'
import type { Talk } from '../access/world/talks.ts'
import type { World } from '../access/world/world.ts'

/** Things that exist, existed or never did. An open one of a colleague, and one that they have completed. */
export const kinds = ['foreign', 'archived', 'deleted', 'never'] as const
export type Kind = (typeof kinds)[number]

/** What things are made of: conversations of a colleague, with a picture each. */
export interface Place {
  world: World
  /** The colleague. Nobody else has anything to do with the things. */
  holderId: number
  talks: Readonly<Record<Exclude<Kind, 'never'>, Talk>>
  pictures: Readonly<Record<Exclude<Kind, 'never'>, string>>
}

/** Makes a thing of each kind. @returns their ids */
export type MakeThing = (place: Place) => Promise<Record<Kind, string>>
export type MakeThings = Readonly<Partial<Record<Subject, MakeThing>>>

export const neverId = '2000000000'
export const neverName = 'A'.repeat(32)

export async function insertedId(world: World, statement: SQL): Promise<string> {
  const [row] = await rows<{ id: number }>(world.database, statement)
  return String(row?.id ?? 0)
}

/** A thing of a colleague, which is never archived, and of which none was deleted. */
export const ofRow =
  (statement: (holderId: number) => SQL): MakeThing =>
  async ({ world, holderId }) => {
    const id = await insertedId(world, statement(holderId))
    return { foreign: id, archived: id, deleted: neverId, never: neverId }
  }

/** The ids of what each of the conversations has. */
export const ofTalks =
  (of: (talk: Talk) => number): MakeThing =>
  ({ talks: { foreign, archived, deleted } }) =>
    Promise.resolve({
      foreign: String(of(foreign)),
      archived: String(of(archived)),
      deleted: String(of(deleted)),
      never: neverId,
    })

import type { Caller } from './world/people.ts'
import type { Case, RowTarget, Target } from './recipe.ts'
import { makeTalks, type Talk } from './world/talks.ts'
import type { World } from './world/world.ts'

// What recipes have in common.

export type Targets = Case['targets']
type Body = Record<string, unknown>

/** Whose conversation it is: a colleague's, nobody's (in the FILA), or the caller's. */
export type Whose = 'colleague' | 'nobody' | 'own'

/** The same call for everybody. */
export const always =
  (path: string, body?: Body): Targets =>
  async (_world, callers) =>
    callers.map(() => ({ path, ...(body && { body }) }))

/** The row's own call for everybody, which is answered with 200. */
export const plain = (what: string, body?: Body): Case => ({
  what,
  status: 200,
  targets: async (_world, callers) => callers.map(() => ({ ...(body && { body }) })),
})

/** Whether an answer has a field. */
export const hasKey = (name: string) => (body: unknown) =>
  typeof body === 'object' && body !== null && name in body

/** A call that changes nothing, about one thing for everybody. */
export const once =
  (make: (world: World) => Promise<RowTarget | number>): Targets =>
  async (world, callers) => {
    const made = await make(world)
    return callers.map(() => (typeof made === 'object' ? made : { id: made }))
  }

/** A call for each caller, about a thing of their own kind. */
export const each =
  <Thing>(
    make: (world: World, callers: readonly Caller[]) => Promise<readonly Thing[]>,
    target: (thing: Thing, caller: Caller, world: World) => RowTarget | number | string,
  ): Targets =>
  async (world, callers) => {
    const things = await make(world, callers)
    return callers.map((caller, n) => {
      const thing = things[n]
      if (thing === undefined) throw new Error('a recipe made too little')
      const made = target(thing, caller, world)
      return typeof made === 'object' ? made : { id: made }
    })
  }

/** A call for each caller with a number of its own. */
export const numbered =
  (target: (n: number) => RowTarget): Targets =>
  async (world, callers) =>
    callers.map(() => target(world.next()))

/** Whoever is nobody acts as the colleague would. */
export const idOf = (world: World, { userId }: Caller): number => userId || world.colleague.userId

/** A conversation for each caller. */
export const talks =
  (whose: Whose, isCompleted = false) =>
  (world: World, callers: readonly Caller[]) =>
    makeTalks(
      world,
      callers.map((caller) => ({
        holderId: whose === 'nobody' ? null : whose === 'own' ? idOf(world, caller) : world.colleague.userId,
        isCompleted,
      })),
    )

/** One conversation for all callers. */
export async function oneTalk(
  world: World,
  whose: 'colleague' | 'nobody',
  isCompleted = false,
): Promise<Talk> {
  const holderId = whose === 'nobody' ? null : world.colleague.userId
  const [talk] = await makeTalks(world, [{ holderId, isCompleted }])
  if (!talk) throw new Error('no conversation was made')
  return talk
}

/** A call that may be repeated about one conversation, which names its caller. */
export const shared =
  (whose: 'colleague' | 'nobody', isCompleted: boolean, target: TalkTarget): Targets =>
  async (world, callers) => {
    const talk = await oneTalk(world, whose, isCompleted)
    return callers.map((caller) => target(talk, caller, world))
  }

type TalkTarget = (talk: Talk, caller: Caller, world: World) => Target

/** A form with a small picture. */
export function formOf(fields: Record<string, string>, file: Buffer): NonNullable<Target['form']> {
  const boundary = 'prova-0123456789'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="foto.png"\r\n` +
    'content-type: image/png\r\n\r\n'
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

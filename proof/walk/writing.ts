import type { Random } from '#simulator/random.ts'
import type { Browser } from './browser.ts'
import type { Client, Talk, World } from './world.ts'
import type { LiveEventType } from '#shared/live-events.ts'

/** An act in the world or at a browser. */
export type Act = (world: World, browsers: Browser[]) => Promise<unknown>

/** Acts by their names, with their relative frequency. */
export type Acts = Readonly<Record<string, [weight: number, Act]>>

/** The name of an act that causes each event. */
export type BroughtBy = Readonly<Partial<Record<LiveEventType, string>>>

export const pick = <T>(random: Random, from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)]

export const someone = (world: World) => pick(world.random, world.clients) ?? world.newClient()

/** Writes a message, and remembers its name for later acts. */
export function write(
  world: World,
  client: Client,
  how: Partial<Parameters<Client['person']['writes']>[2]> = {},
) {
  const name = `m${++world.count}`
  client.names.push(name)
  const quotedName = world.random() < 0.2 ? pick(world.random, client.names) : undefined
  const quoted = quotedName && { waId: client.person.id(quotedName), content: 'citada' }
  const event = client.person.writes(name, ++client.minute % 29, {
    sentAt: new Date(),
    ...how,
    ...(quoted && { quoted }),
  })
  return world.happens(event)
}

/** Does something with a random conversation. */
export const onTalk =
  (
    act: (world: World, talk: Talk, browsers: Browser[]) => Promise<unknown>,
    where: 'open' | 'completed' = 'open',
  ): Act =>
  async (world, browsers) => {
    const talk = pick(world.random, await world.talks(where))
    if (talk) await act(world, talk, browsers)
  }

export function administratorOf(world: World) {
  const admin = world.principals.find(({ role }) => role === 'admin')
  if (!admin) throw new Error('no administrator')
  return admin
}

export const anyone = (world: World) => pick(world.random, world.principals) ?? world.principals[0]
/** A call of a random person about conversations. @returns the status of its answer */
export const call = (world: World, method: string, path: string, body?: unknown) => {
  const who = anyone(world)
  return who ? world.request(who, method, `/api/conversations/${path}`, body) : Promise.resolve(0)
}

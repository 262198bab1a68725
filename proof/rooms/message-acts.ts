import type { Random } from '#simulator/random.ts'
import { type Act, type Acts, pick, someone, write } from '../walk/writing.ts'
import type { Client, World } from '../walk/world.ts'

/** Changes a message of a client's conversation. */
const onMessage =
  (
    change: (client: Client, name: string, minute: number, random: Random) => Parameters<World['happens']>[0],
  ): Act =>
  async (world) => {
    const client = someone(world)
    const name = pick(world.random, client.names)
    if (name !== undefined) await world.happens(change(client, name, ++client.minute % 29, world.random))
  }

/** What becomes of a client's message. */
export const acts = {
  'an edit': [
    4,
    onMessage(({ person }, name, minute) => person.edit(name, minute, `editada ${minute} ${name}`)),
  ],
  'a deletion': [2, onMessage(({ person }, name) => person.remove(name))],
  'a reaction': [
    4,
    onMessage(({ person }, name, minute, random) =>
      person.react(name, minute, pick(random, ['👍', '❤️', '']) ?? '', random() < 0.5 ? 'contact' : 'user'),
    ),
  ],
  'a vote': [2, onMessage(({ person }, name, minute) => person.vote(name, minute, ['sim']))],
  'a pin': [2, onMessage(({ person }, name, minute, random) => person.pin(name, minute, random() < 0.5))],
  'a call': [
    2,
    (world) => {
      const outcome = pick(world.random, ['ringing', 'missed', 'answered'] as const) ?? 'missed'
      return world.happens(someone(world).person.calls(`c${++world.count % 40}`, 20, outcome))
    },
  ],
  'content of an unknown kind': [
    2,
    (world) => world.happens(someone(world).person.sendsUnknown(`u${++world.count}`, 20)),
  ],
  'a message changes before it comes': [
    1,
    async (world) => {
      const client = someone(world)
      await world.happens(client.person.react(`m${world.count + 1}`, 25, '🎉'))
      await write(world, client)
    },
  ],
} satisfies Acts

import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { historySchema } from '#simulator/control-api.ts'
import { addressOf } from '#simulator/webhooks/payloads.ts'
import { getPhone } from './phones.ts'
import { newDbId } from '#simulator/random.ts'
import { type Message, newMessageFields } from '#simulator/world/state.ts'
import type { World } from '#simulator/world/world.ts'

// Without ids, the same history imported twice must still be there once.
function idFor(phoneId: string, at: string, from: string, text: string) {
  const hash = createHash('sha256').update(`${phoneId}|${at}|${from}|${text}`).digest('hex')
  return `HIST${hash.slice(0, 20).toUpperCase()}`
}

/**
 * Imports past messages into a phone's chat and the gateway's database: no webhook, no oracle entry, no
 * counters.
 * @returns all of them, also those that existed
 */
export function importHistory(
  world: World,
  phoneId: string,
  history: z.output<typeof historySchema>,
): Message[] {
  const phone = getPhone(world, phoneId)
  return history.messages.map(({ id, from, text, at, ack }) => {
    const waId = id ?? idFor(phoneId, at, from, text)
    const known = world.state.messages.get(waId)
    if (known) return known
    const message: Message = {
      ...newMessageFields,
      waId,
      dbId: newDbId(world.clock.now()),
      instance: world.instanceName,
      phoneId,
      author: from === 'phone' ? 'phone' : 'console',
      kind: 'text',
      text,
      at: Date.parse(at),
      ack,
      reachedAck: ack,
      ...addressOf(phone, world.state.faults),
      isStored: true,
      isOnPhone: true,
    }
    world.commit({ t: 'message', message })
    return message
  })
}

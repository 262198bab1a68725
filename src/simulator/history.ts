import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { historySchema } from './control-api.ts'
import { addressOf } from './payloads.ts'
import { getPhone } from './phones.ts'
import { newDbId } from './random.ts'
import type { Message } from './state.ts'
import type { World } from './world.ts'

// The same history put in twice is there once, also when its author gave no ids.
const idFor = (phoneId: string, at: string, from: string, text: string) =>
  `HIST${createHash('sha256').update(`${phoneId}|${at}|${from}|${text}`).digest('hex').slice(0, 20).toUpperCase()}`

/** Puts a past into a phone's chat and the gateway's database: no webhook, no oracle, no counts. */
export const importHistory = (
  world: World,
  phoneId: string,
  history: z.output<typeof historySchema>,
): void => {
  const phone = getPhone(world, phoneId)
  for (const { id, from, text, at, ack } of history.messages) {
    const waId = id ?? idFor(phoneId, at, from, text)
    if (world.state.messages.has(waId)) continue
    const isPhone = from === 'phone'
    const message: Message = {
      waId,
      dbId: newDbId(),
      instance: world.instanceName,
      phoneId,
      author: isPhone ? 'phone' : 'console',
      kind: 'text',
      text,
      at: Date.parse(at),
      ack,
      reachedAck: ack,
      ...addressOf(phone, world.state.faults),
      quoted: null,
      targetId: null,
      media: null,
      location: null,
      editedAt: null,
      deletedAt: null,
      toAnnounce: null,
      isStored: true,
      isOnPhone: true,
      statuses: [],
    }
    world.commit({ t: 'message', message })
  }
}

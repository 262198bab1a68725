import { announceStatus } from './announce.ts'
import { type Ack, acks } from '#simulator/control-api.ts'
import { inSeconds } from '#simulator/control/describe.ts'
import { statusWord } from './payloads.ts'
import type { Message } from '#simulator/world/state.ts'
import { instanceOf, phoneOf, updateMessage, type World } from '#simulator/world/world.ts'

/** Acknowledgements of the company's messages, and when the gateway reports them. */

export function rank(ack: Ack): number {
  return ack === 'error' ? acks.length : acks.indexOf(ack)
}

function reportAck(world: World, waId: string, ack: Ack, statuses: string[], note: string): Message {
  const status = statusWord[ack]
  const message = updateMessage(world, waId, { ack, statuses: [...statuses, status] })
  announceStatus(world, message, status, note)
  return message
}

/**
 * Reports every step from the last reported acknowledgement up to `limit`; nothing while the socket is down.
 */
function reportSteps(world: World, waId: string, limit: Ack, note: string): void {
  const first = world.state.messages.get(waId)
  if (!first?.isStored || first.ack === 'error') return
  if (instanceOf(world, first.instance).state !== 'open') return
  const goal = Math.min(rank(first.reachedAck), rank(limit))
  let reported: Ack = first.ack
  let { statuses } = first
  for (const step of acks) {
    if (rank(step) <= rank(reported) || rank(step) > goal) continue
    ;({ ack: reported, statuses } = world.batch(() => reportAck(world, waId, step, statuses, note)))
  }
}

function reportLater(world: World, waId: string, limit: Ack, afterMs: number): void {
  const { delayAcks } = world.state.faults
  const extraMs = delayAcks.on ? delayAcks.ms : 0
  const note = extraMs > 0 ? `, atrasado ${inSeconds(extraMs)}` : ''
  world.timers.after(afterMs + extraMs, () => reportSteps(world, waId, limit, note))
}

/** The phone has received the message: one tick, two ticks, and blue ones where the phone reads at once. */
export function acknowledgeDelivery(world: World, waId: string): void {
  const { serverAckMs, deliveryAckMs } = world.pace
  const message = world.state.messages.get(waId)
  const isRead = message !== undefined && phoneOf(world, message)?.autoRead === true
  if (message && rank(message.reachedAck) < rank('delivered'))
    updateMessage(world, waId, { reachedAck: isRead ? 'read' : 'delivered' })
  reportLater(world, waId, 'sent', serverAckMs)
  reportLater(world, waId, 'delivered', deliveryAckMs)
  if (isRead) reportLater(world, waId, 'read', deliveryAckMs * 2)
}

/** The phone's owner has read it, or listened to it. */
export function acknowledgeReading(world: World, waId: string, ack: 'read' | 'played'): void {
  const message = world.state.messages.get(waId)
  if (!message || rank(message.reachedAck) >= rank(ack)) return
  updateMessage(world, waId, { reachedAck: ack })
  if (world.state.faults.delayAcks.on) reportLater(world, waId, ack, 0)
  else reportSteps(world, waId, ack, '')
}

/** WhatsApp rejects a message the gateway had accepted: ERROR, without a reason. */
export function acknowledgeError(world: World, waId: string): void {
  world.timers.after(world.pace.serverAckMs, () => {
    const message = world.state.messages.get(waId)
    if (!message?.isStored || rank(message.ack) > rank('sent')) return
    world.batch(() => reportAck(world, waId, 'error', message.statuses, ''))
  })
}

/** Reports missed acknowledgements after a restart or a reconnection. */
export function resumeAcknowledgements(world: World): void {
  for (const message of world.state.messages.values())
    if (message.author !== 'phone' && rank(message.ack) < rank(message.reachedAck))
      reportLater(world, message.waId, message.reachedAck, world.pace.serverAckMs)
}

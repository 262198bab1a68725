import type * as z from 'zod/mini'
import { announceChange } from '#simulator/webhooks/announce.ts'
import type { By, pinSchema, reactionSchema, voteSchema } from '#simulator/control-api.ts'
import { controlError } from '#simulator/control/control-errors.ts'
import { record } from '#simulator/world/oracle.ts'
import { alreadySent, isReading, put } from './phone-messages.ts'
import { getMessage, getPhone } from './phones.ts'
import type { Message } from '#simulator/world/state.ts'
import { updateMessage, type World } from '#simulator/world/world.ts'

/** Actions on existing messages, on a client's phone or the company's own. Repeating an id does nothing. */

/** A reaction is a message of its own that refers to another; an empty emoji removes it. */
export function react(
  world: World,
  phoneId: string,
  { messageId, emoji, id, by }: z.output<typeof reactionSchema>,
): Message {
  const phone = getPhone(world, phoneId)
  const known = alreadySent(world, phoneId, id)
  if (known) return known
  const { instance } = getMessage(world, phoneId, messageId)
  return put(world, phone, by, { id, kind: 'reaction', text: emoji, targetId: messageId, instance })
}

/** @throws 409 for a message that is no poll, an unknown option, or too many options. */
export function vote(
  world: World,
  phoneId: string,
  { messageId, options, id, by }: z.output<typeof voteSchema>,
): Message {
  const phone = getPhone(world, phoneId)
  const poll = getMessage(world, phoneId, messageId)
  if (alreadySent(world, phoneId, id)) return poll
  if (poll.rich?.kind !== 'poll') throw controlError(409, 'simulator.no_poll', 'A mensagem não é uma enquete')
  const { options: known, selectableCount } = poll.rich
  if (options.some((option) => !known.includes(option)))
    throw controlError(409, 'simulator.no_option', 'A enquete não tem esta opção')
  if (selectableCount > 0 && options.length > selectableCount)
    throw controlError(409, 'simulator.too_many_options', 'A enquete não permite tantas opções')
  const draft = { id, kind: 'text' as const, text: options.join(', '), targetId: messageId }
  put(world, phone, by, { ...draft, instance: poll.instance, act: { kind: 'vote', options } })
  return poll
}

export function pin(
  world: World,
  phoneId: string,
  { messageId, pinned, id, by }: z.output<typeof pinSchema>,
): Message {
  const phone = getPhone(world, phoneId)
  const target = getMessage(world, phoneId, messageId)
  if (alreadySent(world, phoneId, id)) return target
  const draft = { id, kind: 'text' as const, text: '', targetId: messageId }
  put(world, phone, by, { ...draft, instance: target.instance, act: { kind: 'pin', pinned } })
  return target
}

function ownMessage(world: World, phoneId: string, waId: string, by: By): Message {
  const message = getMessage(world, phoneId, waId)
  // The company's phone and its console are one account: either may change what the other wrote.
  if ((message.author === 'phone') !== (by === 'phone'))
    throw controlError(409, 'simulator.not_own_message', 'Só a própria mensagem pode ser alterada')
  return message
}

function announceIfOpen(world: World, message: Message): Message {
  // Otherwise it is announced when the socket opens, after the message itself.
  if (message.isStored && isReading(world, message.instance)) announceChange(world, message)
  return world.state.messages.get(message.waId) ?? message
}

function directionOf(by: By) {
  return by === 'phone' ? 'written' : 'received'
}
const editable: readonly Message['kind'][] = ['text', 'image', 'video', 'document']

/**
 * Editing to the same text changes nothing. @throws 409 for a message of the other side, a deleted one, or
 * one without text.
 */
export function edit(world: World, phoneId: string, waId: string, text: string, by: By): Message {
  const before = ownMessage(world, phoneId, waId, by)
  if (before.deletedAt !== null) throw controlError(409, 'simulator.deleted', 'A mensagem foi apagada')
  if (before.rich || !editable.includes(before.kind))
    throw controlError(409, 'simulator.not_editable', 'Esta mensagem não pode ser editada')
  if (before.text === text) return before
  const editedAt = world.clock.now()
  return world.batch(() => {
    const message = updateMessage(world, waId, { text, editedAt, toAnnounce: 'edit' })
    record(world, message, directionOf(by), 'edit')
    return announceIfOpen(world, message)
  })
}

/** Deletes for everyone. Idempotent. */
export function remove(world: World, phoneId: string, waId: string, by: By): Message {
  const before = ownMessage(world, phoneId, waId, by)
  if (before.deletedAt !== null) return before
  const deletedAt = world.clock.now()
  return world.batch(() => {
    const message = updateMessage(world, waId, { deletedAt, toAnnounce: 'delete' })
    record(world, message, directionOf(by), 'delete')
    return announceIfOpen(world, message)
  })
}

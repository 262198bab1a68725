import { acknowledgeReading } from '#simulator/webhooks/acknowledge.ts'
import { announcePresence, chatJid } from '#simulator/webhooks/announce.ts'
import { chatOf } from '#simulator/control/chat-view.ts'
import type { NewPhone, PhonePatch, Typing } from '#simulator/control-api.ts'
import { controlError } from '#simulator/control/control-errors.ts'
import { digitsFrom } from '#simulator/random.ts'
import type { Message, Phone } from '#simulator/world/state.ts'
import { instanceOf, type World } from '#simulator/world/world.ts'

/** The clients' phones, and actions on them other than writing. */

/** @throws 404 */
export function getPhone(world: World, id: string): Phone {
  const phone = world.state.phones.get(id)
  if (!phone) throw controlError(404, 'simulator.phone_not_found', 'Celular não encontrado')
  return phone
}

/** @throws 404 when the message is not on this phone. */
export function getMessage(world: World, phoneId: string, waId: string): Message {
  const message = world.state.messages.get(waId)
  if (message?.phoneId !== phoneId || !message.isOnPhone)
    throw controlError(404, 'simulator.message_not_found', 'Mensagem não encontrada neste celular')
  return message
}

function freeNumber(world: World, name: string): string {
  for (let turn = world.state.phones.size; ; turn += 1) {
    const number = `55119${digitsFrom(`${name}|${turn}`, 8)}`
    if (!world.state.phoneByNumber.has(number)) return number
  }
}

/** @throws 409 when another phone has the number. */
export function createPhone(world: World, wanted: NewPhone): Phone {
  const known = wanted.id === undefined ? undefined : world.state.phones.get(wanted.id)
  if (known) return known
  const number = wanted.number ?? freeNumber(world, wanted.name)
  if (world.state.phoneByNumber.has(number))
    throw controlError(409, 'simulator.number_taken', 'Já existe um celular com este número')
  const phone: Phone = {
    id: wanted.id ?? `cel-${world.state.phones.size + 1}`,
    name: wanted.name,
    number,
    lid: wanted.lid ?? `1${digitsFrom(`lid|${number}`, 14)}`,
    identity: wanted.identity ?? (wanted.lidOnly ? 'lid-only' : 'pn'),
    autoRead: wanted.autoRead ?? false,
    onWhatsApp: wanted.onWhatsApp ?? true,
    createdAt: world.clock.now(),
  }
  world.commit({ t: 'phone', phone })
  return phone
}

export function changePhone(world: World, id: string, patch: PhonePatch): Phone {
  const phone = { ...getPhone(world, id), ...patch }
  world.commit({ t: 'phone', phone })
  return phone
}

export function typeOnPhone(world: World, phoneId: string, { state }: Typing): void {
  const phone = getPhone(world, phoneId)
  const instance = instanceOf(world, world.instanceName)
  if (instance.state !== 'open') return
  announcePresence(world, instance, chatJid(world, phone), phoneId, state)
}

/** Opens the chat: every message of the company in it is read. */
export function openChat(world: World, phoneId: string): void {
  getPhone(world, phoneId)
  for (const message of chatOf(world, phoneId))
    if (message.author !== 'phone') acknowledgeReading(world, message.waId, 'read')
}

/** Plays a voice message to its end. */
export function playOnPhone(world: World, phoneId: string, waId: string): void {
  const message = getMessage(world, phoneId, waId)
  if (message.author !== 'phone' && message.kind === 'audio') acknowledgeReading(world, waId, 'played')
}

import { acknowledgeDelivery, acknowledgeError } from '#simulator/webhooks/acknowledge.ts'
import { announceSent, dataOf } from '#simulator/webhooks/announce.ts'
import { describeCompanyMessage } from '#simulator/control/describe.ts'
import type { SendPlan } from '#simulator/world/faults.ts'
import { gatewayError, refuse } from '#simulator/gateway/gateway-errors.ts'
import type { Answer } from '#simulator/gateway/gateway-server.ts'
import { createJid, isLid, isPhoneJid, lidJid, otherForm, phoneJid, userOf } from '#simulator/world/jids.ts'
import { record } from '#simulator/world/oracle.ts'
import { newConsoleMessageId, newDbId } from '#simulator/random.ts'
import { type Instance, type Message, newMessageFields, type Phone } from '#simulator/world/state.ts'
import type { Json } from '#simulator/webhooks/wire.ts'
import type { World } from '#simulator/world/world.ts'

/** A send call: its recipient, its failures, its webhooks. */

/** A validated message to send, without Evolution's field names. */
export interface Outgoing
  extends
    Pick<Message, 'kind' | 'text' | 'quoted'>,
    Partial<Pick<Message, 'targetId' | 'media' | 'location' | 'rich' | 'round' | 'voice' | 'context'>> {
  number: string
  delayMs: number
  base64?: string
  /** The id that the caller gives it; undefined: one of the gateway's own. */
  messageId?: string | undefined
}

/** The phone for digits in either form of a mobile, for its own jid, or for its LID. */
export function findPhone(world: World, number: string): Phone | undefined {
  const user = userOf(number).replace(/\D/g, '')
  const { phoneByNumber, phoneByLid, phones } = world.state
  // Of a jid the gateway asks for exactly that one.
  const other = number.includes('@') ? undefined : otherForm(user)
  const id = isLid(number)
    ? phoneByLid.get(user)
    : (phoneByNumber.get(user) ?? (other === undefined ? undefined : phoneByNumber.get(other)))
  const phone = id === undefined ? undefined : phones.get(id)
  return phone?.onWhatsApp ? phone : undefined
}

interface Target {
  jid: string
  phone: Phone | undefined
}

function findTarget(world: World, { ownerNumber }: Instance, number: string): Target | undefined {
  const phone = findPhone(world, number)
  // Everybody has a chat with themselves.
  if (ownerNumber !== null && !isLid(number) && userOf(number) === ownerNumber)
    return { jid: phoneJid(ownerNumber), phone: undefined }
  // LIDs always count as existing.
  if (isLid(number)) return { jid: phone ? lidJid(phone.lid) : number, phone }
  // Groups and stories are valid recipients, but no phone here is in them.
  if (/@(g\.us|broadcast)$/.test(number)) return { jid: number, phone: undefined }
  if (number.includes('@') && !isPhoneJid(number)) return undefined
  return phone && { jid: phoneJid(phone.number), phone }
}

function hasChatWith(world: World, instance: Instance, target: Target | undefined): boolean {
  return (world.state.chats.get(target?.phone?.id ?? '') ?? []).some(
    (waId) => world.state.messages.get(waId)?.instance === instance.name,
  )
}

/** The files of sendMedia are uploaded to WhatsApp before the recipient is looked up. */
function isUploadedFirst({ kind, media, voice }: Outgoing): boolean {
  return media !== undefined && (['image', 'video', 'document'].includes(kind) || voice === false)
}

/** @throws GatewayError in the three ways a closed socket shows, and for a number that is not on WhatsApp. */
function resolveTarget(world: World, instance: Instance, outgoing: Outgoing): Target {
  const { number } = outgoing
  const target = findTarget(world, instance, number)
  if (isUploadedFirst(outgoing) && instance.state !== 'open')
    throw refuse(
      500,
      instance.ownerNumber === null
        ? "TypeError: Cannot read properties of undefined (reading 'waUploadToServer')"
        : 'Error: Connection Closed',
    )
  if (instance.ownerNumber === null)
    throw refuse(400, "TypeError: Cannot read properties of undefined (reading 'sendMessage')")
  if (instance.state !== 'open') {
    // A number whose lookup is cached fails at the send; any other fails at the lookup.
    if (hasChatWith(world, instance, target)) throw refuse(400, 'Error: Connection Closed')
    throw gatewayError(500, 'Connection Closed')
  }
  if (!target) throw gatewayError(400, [{ jid: createJid(number), exists: false, number }])
  return target
}

function draftMessage(
  world: World,
  instance: Instance,
  target: Target,
  outgoing: Outgoing,
  plan: SendPlan,
): Message {
  const { number: _, delayMs: __, base64: ___, messageId: waId = newConsoleMessageId(), ...own } = outgoing
  const known = world.state.messages.get(waId)
  return {
    ...newMessageFields,
    ...own,
    waId,
    dbId: newDbId(world.clock.now()),
    instance: instance.name,
    phoneId: target.phone?.id ?? null,
    author: 'console',
    at: world.clock.now(),
    remoteJid: target.jid,
    remoteJidAlt: null,
    addressingMode: null,
    // What is sent again under its id stays where it already is.
    ...(known && { ack: known.ack, reachedAck: known.reachedAck, statuses: known.statuses }),
    isStored: plan.isStored || known?.isStored === true,
    isOnPhone: (plan.isDelivered && target.phone !== undefined) || known?.isOnPhone === true,
  }
}

/** Each arrival is recorded, also a second one under the same id. */
function put(world: World, message: Message, base64: string | undefined, isDelivered: boolean) {
  if (base64) {
    const mimetype = message.media?.mimetype ?? ''
    world.commit({ t: 'media', media: { waId: message.waId, mimetype, base64 } })
  }
  world.commit({ t: 'message', message })
  if (message.isOnPhone && isDelivered) record(world, message, 'received')
}

async function type(world: World, phone: Phone | undefined, delayMs: number, kind: Message['kind']) {
  if (delayMs <= 0) return
  if (phone) showPresence(world, phone, kind === 'audio' ? 'recording' : 'composing')
  await world.timers.sleep(delayMs)
  if (phone) showPresence(world, phone, 'available')
}

/** Sets what the phone shows under the company's name: 'digitando…'. */
export function showPresence(
  world: World,
  phone: Phone,
  state: 'composing' | 'recording' | 'available' | 'unavailable',
): void {
  world.presence.set(phone.id, state)
  world.touchPhone(phone.id)
}

/**
 * Executes a send call from its validated body to its answer, applying faults and scripts. Messages, oracle
 * entries and echoes are one line of the journal, written before the answer.
 * @throws GatewayError
 */
export async function sendFromConsole(world: World, instance: Instance, outgoing: Outgoing): Promise<Answer> {
  const target = resolveTarget(world, instance, outgoing)
  await type(world, target.phone, outgoing.delayMs, outgoing.kind)
  const plan = world.injector.planSend(outgoing.text)
  const first = draftMessage(world, instance, target, outgoing, plan)
  const detail = describeCompanyMessage(instance.ownerName, target.phone, first)
  if (plan.cause) world.feed.line('falha', plan.cause, detail, plan.isDelivered ? 'entregue' : 'não entregue')
  const copies = [first]
  const copied = { ...outgoing, messageId: undefined }
  while (copies.length < plan.copies) copies.push(draftMessage(world, instance, target, copied, plan))
  const isKept = plan.isDelivered || plan.isStored
  const echoes = world.batch(() => {
    if (isKept) for (const message of copies) put(world, message, outgoing.base64, plan.isDelivered)
    if (plan.echo === 'never') return []
    return copies.map((message) =>
      announceSent(world, message, plan.echo === 'early' ? 0 : world.pace.echoMs),
    )
  })
  const answer: Json = dataOf(world, first)
  if (plan.echo === 'early') await Promise.all(echoes)
  for (const { waId } of isKept ? copies : []) {
    if (plan.acks === 'error') acknowledgeError(world, waId)
    else if (plan.acks === 'normal' && plan.isDelivered && target.phone) acknowledgeDelivery(world, waId)
  }
  await world.timers.sleep(plan.hangMs)
  return { ...(plan.answer ?? { status: 201, body: answer }), detail, ...(plan.cut && { cut: plan.cut }) }
}

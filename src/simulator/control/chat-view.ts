import type {
  ChatMessage,
  Counters,
  GatewayView,
  PhoneView,
  SimulatorState,
} from '#simulator/control-views.ts'
import { pollVotes } from '#simulator/phones/polls.ts'
import { instanceOf, type World } from '#simulator/world/world.ts'
import type { Instance, Message, Phone } from '#simulator/world/state.ts'

/** Views of the state for the control API. */

function iso(ms: number) {
  return new Date(ms).toISOString()
}
function sideOf(message: Message) {
  return message.author === 'phone' ? ('phone' as const) : ('company' as const)
}

/** A phone's messages, oldest first, including reactions, votes and pins. */
export function chatOf(world: World, phoneId: string): Message[] {
  return (world.state.chats.get(phoneId) ?? [])
    .map((waId) => world.state.messages.get(waId))
    .filter((message) => message !== undefined)
    .filter((message) => message.isOnPhone)
}

/** Whether the message has a bubble of its own; reactions, votes and pins belong to another message. */
function isBubble({ kind, act }: Message) {
  return kind !== 'reaction' && !act
}

/** Whether the last pin or unpin of this message was a pin. */
function isPinned(world: World, message: Message): boolean {
  const acts = chatOf(world, message.phoneId ?? '').filter(({ targetId }) => targetId === message.waId)
  const last = acts.findLast(({ act }) => act?.kind === 'pin')?.act
  return last?.kind === 'pin' && last.pinned
}

function extrasOf(world: World, message: Message, hasActs: boolean): Partial<ChatMessage> {
  const { rich, wraps, forwarded, round, gif, voice, deletedAt } = message
  if (deletedAt !== null) return {}
  return {
    ...(rich ? { rich } : {}),
    ...(rich?.kind === 'poll' ? { votes: pollVotes(world, message) } : {}),
    ...(wraps ? { wrap: wraps } : {}),
    ...(forwarded ? { forwarded } : {}),
    ...(hasActs && isPinned(world, message) ? { pinned: true } : {}),
    ...(round ? { round } : {}),
    ...(gif ? { gif } : {}),
    ...(voice === undefined ? {} : { voice }),
  }
}

function reactionsOn(world: World, message: Message): ChatMessage['reactions'] {
  const bySide = new Map<string, ChatMessage['reactions'][number]>()
  if (message.phoneId === null) return []
  for (const other of chatOf(world, message.phoneId)) {
    if (other.kind !== 'reaction' || other.targetId !== message.waId) continue
    const from = sideOf(other)
    if (other.text === '') bySide.delete(from)
    else bySide.set(from, { emoji: other.text, from })
  }
  return [...bySide.values()]
}

/** @param hasActs false when no reaction, vote or pin is known to refer to the message */
export function chatMessage(world: World, message: Message, hasActs = true): ChatMessage {
  return {
    id: message.waId,
    phoneId: message.phoneId ?? '',
    instance: message.instance,
    from: sideOf(message),
    via: message.author === 'phone' ? null : message.author,
    kind: message.kind,
    text: message.deletedAt === null ? message.text : '',
    at: iso(message.at),
    ack: message.ack,
    quoted: message.quoted && {
      id: message.quoted.waId,
      text: message.quoted.text,
      from: message.quoted.fromPhone ? 'phone' : 'company',
      kind: message.quoted.kind ?? 'text',
    },
    media:
      message.media === null || message.deletedAt !== null
        ? null
        : {
            mimetype: message.media.mimetype,
            fileName: message.media.fileName,
            seconds: message.media.seconds,
            sizeBytes: message.media.sizeBytes,
            path: `/media/${message.waId}`,
          },
    location: message.location,
    reactions: hasActs ? reactionsOn(world, message) : [],
    edited: message.editedAt !== null,
    deleted: message.deletedAt !== null,
    ...extrasOf(world, message, hasActs),
  }
}

/** The last `limit` bubbles of a phone's chat, oldest first. */
export function chatView(world: World, phoneId: string, limit: number): ChatMessage[] {
  const all = chatOf(world, phoneId)
  const touched = new Set(all.filter((message) => !isBubble(message)).map(({ targetId }) => targetId))
  return all
    .filter(isBubble)
    .toSorted((a, b) => a.at - b.at)
    .slice(-limit)
    .map((message) => chatMessage(world, message, touched.has(message.waId)))
}

function isUnread(message: Message) {
  return (
    message.author !== 'phone' &&
    isBubble(message) &&
    message.reachedAck !== 'read' &&
    message.reachedAck !== 'played'
  )
}

export function phoneView(world: World, phone: Phone): PhoneView {
  const chat = chatOf(world, phone.id).filter(isBubble)
  const last = chat.at(-1)
  return {
    id: phone.id,
    name: phone.name,
    number: phone.number,
    lid: phone.lid,
    identity: world.state.faults.lidOnly.on ? 'lid-only' : phone.identity,
    autoRead: phone.autoRead,
    onWhatsApp: phone.onWhatsApp,
    unread: chat.filter(isUnread).length,
    lastMessage: last
      ? { text: last.deletedAt === null ? last.text : '', kind: last.kind, at: iso(last.at) }
      : null,
    companyPresence: world.presence.get(phone.id) ?? null,
    createdAt: iso(phone.createdAt),
  }
}

export function gatewayView(instance: Instance): GatewayView {
  return {
    instance: instance.name,
    state: instance.state,
    ownerName: instance.ownerName ?? instance.name,
    ownerNumber: instance.ownerNumber ?? '',
    webhookUrl: instance.webhook?.url ?? null,
    webhookEnabled: instance.webhook?.enabled ?? false,
  }
}

export function countersView(world: World): Counters {
  return {
    written: world.state.written,
    accepted: world.state.accepted,
    ...world.counts,
    pendingWebhooks: world.state.hooks.size,
  }
}

export function stateView(world: World): SimulatorState {
  return {
    gateway: gatewayView(instanceOf(world, world.instanceName)),
    instances: [...world.state.instances.values()].map(gatewayView),
    faults: world.state.faults,
    phones: [...world.state.phones.values()].map((phone) => phoneView(world, phone)),
    counters: countersView(world),
    version: world.state.version,
    now: iso(world.clock.now()),
  }
}

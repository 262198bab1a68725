import type * as z from 'zod/mini'
import type {
  callSchema,
  contactSyncSchema,
  elsewhereSchema,
  historySyncSchema,
} from '#simulator/control-api.ts'
import { controlError } from '#simulator/control/control-errors.ts'
import type { CallView } from '#simulator/control-views.ts'
import { announceMessagesSet, chatJid } from '#simulator/webhooks/announce.ts'
import { chatOf } from '#simulator/control/chat-view.ts'
import { importHistory } from './history.ts'
import { lidJid, phoneJid } from '#simulator/world/jids.ts'
import { receive } from './phone-messages.ts'
import { getPhone } from './phones.ts'
import { pictureOf } from '#simulator/gateway/media/profile-pictures.ts'
import { newDbId, newPhoneMessageId, newUuid } from '#simulator/random.ts'
import { type Message, newMessageFields, type Phone } from '#simulator/world/state.ts'
import { instanceOf, type World } from '#simulator/world/world.ts'

/**
 * Events of a phone that are not messages of its chat: calls, groups, stories, the address book, history
 * sync.
 */

const endingOf = {
  missed: ['timeout'],
  answered: ['accept', 'terminate'],
  rejected: ['reject'],
  ringing: [],
} as const

function announceCall(world: World, phone: Phone, call: CallView, isNew: boolean): void {
  const instance = instanceOf(world, world.instanceName)
  const remoteJid = chatJid(world, phone)
  const opening = isNew ? (['offer', 'ringing'] as const) : []
  for (const status of [...opening, ...endingOf[call.outcome]]) {
    const kind = status === 'terminate' ? {} : { isVideo: call.video, isGroup: false }
    const who = { chatId: remoteJid, from: remoteJid, id: call.id }
    const date = new Date(world.clock.now()).toISOString()
    const data = { ...who, date, offline: false, status, ...kind }
    void world.hooks.emit(instance, {
      event: 'call',
      data,
      lane: phone.id,
      detail: `${phone.name}: ${call.video ? 'chamada de vídeo' : 'chamada de voz'} (${status})`,
    })
  }
}

/** A call while the socket is down is not announced. */
export function callFromPhone(world: World, phoneId: string, body: z.output<typeof callSchema>): CallView {
  const phone = getPhone(world, phoneId)
  const { id = newUuid().replaceAll('-', '').toUpperCase(), video, outcome } = body
  const known = world.state.calls.get(id)
  if (known && known.phoneId !== phoneId)
    throw controlError(409, 'simulator.id_taken', 'Outra chamada tem este id')
  if (known && (known.outcome !== 'ringing' || outcome === 'ringing')) return known
  const call = { id, phoneId, video: known?.video ?? video, outcome }
  return world.batch(() => {
    world.commit({ t: 'call', call })
    if (instanceOf(world, world.instanceName).state === 'open') announceCall(world, phone, call, !known)
    return call
  })
}

const places = {
  group: '120363042345678901@g.us',
  status: 'status@broadcast',
  newsletter: '120363099887766554@newsletter',
} as const

function authorIn(where: keyof typeof places, phone: Phone): NonNullable<Message['elsewhere']> {
  const [pn, lid] = [phoneJid(phone.number), lidJid(phone.lid)]
  if (where === 'newsletter') return {}
  return where === 'group' ? { participant: lid, participantAlt: pn } : { participant: pn }
}

/**
 * Posted whatever the instance's settings are, since other settings or releases may let it through; the
 * console must ignore it. Stored in the gateway's database, but in no chat and not in the oracle.
 */
export function sendElsewhere(
  world: World,
  phoneId: string,
  { where, text, id }: z.output<typeof elsewhereSchema>,
): void {
  const phone = getPhone(world, phoneId)
  if (id !== undefined && world.state.messages.has(id)) return
  const message: Message = {
    ...newMessageFields,
    waId: id ?? newPhoneMessageId(),
    dbId: newDbId(world.clock.now()),
    instance: world.instanceName,
    phoneId: null,
    author: 'phone',
    kind: 'text',
    text,
    at: world.clock.now(),
    remoteJid: places[where],
    remoteJidAlt: null,
    addressingMode: where === 'group' ? 'lid' : 'pn',
    isOnPhone: false,
    elsewhere: authorIn(where, phone),
    pushName: phone.name,
  }
  world.batch(() => {
    world.commit({ t: 'message', message })
    receive(world, message)
  })
}

/** Posts a chat's history in one messages.set; given messages are imported into the chat first. */
export function syncHistory(
  world: World,
  phoneId: string,
  { messages, isLatest, progress }: z.output<typeof historySyncSchema>,
): void {
  getPhone(world, phoneId)
  const chosen = messages
    ? importHistory(world, phoneId, { messages })
    : chatOf(world, phoneId).filter(({ act, kind }) => !act && kind !== 'reaction')
  announceMessagesSet(world, phoneId, chosen, { isLatest, progress })
}

/** Posts the address book in one contacts.upsert. */
export function syncContacts(world: World, { phones: ids, names }: z.output<typeof contactSyncSchema>): void {
  const instance = instanceOf(world, world.instanceName)
  const phones = ids ? ids.map((id) => getPhone(world, id)) : [...world.state.phones.values()]
  const data = phones.map((phone) => ({
    remoteJid: chatJid(world, phone),
    ...(names ? { pushName: phone.name } : {}),
    profilePicUrl: pictureOf(world, phone),
    instanceId: instance.id,
  }))
  const detail = `${data.length} contatos`
  void world.hooks.emit(instance, { event: 'contacts.upsert', data, lane: 'contacts', detail })
}

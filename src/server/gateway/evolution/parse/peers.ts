import { phoneOfAddress } from '#shared/text/phones/read-phone.ts'
import type { Peer } from './gateway-events.ts'
import { field, text } from './values.ts'

/** An address without the device part (`5511…:12@`). */
function jidOf(value: unknown): string | undefined {
  return text(value)?.slice(0, 100).replace(/:\d+@/, '@')
}

// A number that an app shares with the Cloud API is 'hosted'.
const phoneIn = (jid: string) => /^(\d+)@(?:s\.whatsapp\.net|c\.us|hosted)$/.exec(jid)?.[1]
const lidIn = (jid: string) => /^(\d{1,32})@(?:hosted\.)?lid$/.exec(jid)?.[1]
/** The number of an address, in its normal form. */
function phoneOf(jid: string): string | undefined {
  const digits = phoneIn(jid)
  return digits === undefined ? undefined : phoneOfAddress(digits)
}
const isPerson = (jid: string) => /@(s\.whatsapp\.net|c\.us|lid|hosted|hosted\.lid)$/.test(jid)

/** Makes a person from their addresses; the first is the one that the gateway uses. */
function personOf(jids: string[]): Peer | undefined {
  const [jid] = jids
  if (jid === undefined) return undefined
  let phone: string | undefined
  const byPhone = jids.find((one) => (phone = phoneOf(one)) !== undefined)
  const lid = jids.map(lidIn).find((digits) => digits !== undefined)
  if (!phone && !lid) return undefined
  return { phone, lid, jid, ...(byPhone !== undefined && byPhone !== jid && { phoneJid: byPhone }) }
}

/**
 * The addresses of people other than ourselves; our own only when there is no other, as in a chat with
 * oneself.
 */
function others(jids: (string | undefined)[], own: string | undefined): string[] {
  const people = jids.filter((jid) => jid !== undefined).filter(isPerson)
  const without = people.filter((jid) => jid !== own)
  return without.length > 0 ? without : people
}

/**
 * The other side of a chat of two, from every address that a message's key may contain in any version;
 * undefined for groups, status, lists and channels. In an outgoing message the fields that name the sender
 * name us, so they are not read, and our own address in place of the other side's is skipped.
 * @param sender the envelope's `sender`, which is our own address
 */
export function peerOf(key: unknown, sender?: unknown): Peer | undefined {
  const chat = jidOf(field(key, 'remoteJid'))
  if (chat === undefined || !isPerson(chat)) return undefined
  const isOurs = field(key, 'fromMe') === true
  const names = isOurs
    ? ['remoteJidAlt', 'previousRemoteJid']
    : ['remoteJidAlt', 'senderPn', 'senderLid', 'previousRemoteJid', 'participantAlt']
  const all = [chat, ...names.map((name) => jidOf(field(key, name)))]
  return personOf(others(all, isOurs ? jidOf(sender) : undefined))
}

/** Chats that are no chats of two: groups, lists and status, channels, and WhatsApp's own. */
const notOfTwo = /@(g\.us|broadcast|newsletter|call|bot)$|^(status|server|0)@/

/**
 * Whether a message's chat has an address of a form that is not known, or with a number that cannot be
 * stored: it may be a person's.
 */
export function isUnknownChat(key: unknown): boolean {
  const chat = jidOf(field(key, 'remoteJid'))
  return chat !== undefined && personOf([chat].filter(isPerson)) === undefined && !notOfTwo.test(chat)
}

/** The caller, or the other side of the chat when we are the caller. */
export function callerOf(call: unknown, sender: unknown): Peer | undefined {
  const chat = jidOf(field(call, 'chatId'))
  if (chat !== undefined && !isPerson(chat)) return undefined
  const own = jidOf(sender)
  const callers = others([jidOf(field(call, 'from')), chat], own)
  // Without our own address nothing shows that the two addresses are one person's.
  return personOf(own === undefined ? callers.slice(0, 1) : callers)
}

/** Whether an address, such as a voter's, belongs to this person. */
export function isAddressOf(peer: Peer, value: unknown): boolean {
  const jid = jidOf(value)
  if (jid === undefined) return false
  const [phone, lid] = [phoneIn(jid), lidIn(jid)]
  if (lid !== undefined) return lid === peer.lid
  return jid === peer.jid || (phone !== undefined && phoneOfAddress(phone) === peer.phone)
}

/** Whether two values are the same address, regardless of the device. */
export function isSameAddress(one: unknown, other: unknown): boolean {
  const jid = jidOf(one)
  return jid !== undefined && jid === jidOf(other)
}

/** Whether two values are addresses of one person, such as a number with and without its ninth digit. */
export function isSamePerson(one: unknown, other: unknown): boolean {
  const phone = phoneOf(jidOf(one) ?? '')
  return isSameAddress(one, other) || (phone !== undefined && phone === phoneOf(jidOf(other) ?? ''))
}

/** What an address of a person names them by; undefined when it is no such address. */
export function kindOfAddress(value: unknown): 'phone' | 'lid' | undefined {
  const jid = jidOf(value) ?? ''
  if (lidIn(jid) !== undefined) return 'lid'
  return phoneOf(jid) === undefined ? undefined : 'phone'
}

/** Whether a value is a complete address of a person. */
export const isAddress = (value: unknown) => isPerson(jidOf(value) ?? '')

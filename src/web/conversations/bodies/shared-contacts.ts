import * as z from 'zod/mini'
import type { SharedContact } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { brazilianPhone, formatPhone } from '#shared/text/phone.ts'

/** A card as written in the text of messages without metadata. @see specification §2 Chat */
const writtenCard = z.object({
  fullName: z.optional(z.string()),
  displayName: z.optional(z.string()),
  phoneNumber: z.optional(z.string()),
  organization: z.optional(z.string()),
  email: z.optional(z.string()),
  url: z.optional(z.string()),
})

/** The contact cards of a message; empty if neither its metadata nor its text contains any. */
export function sharedContacts({
  metadata,
  content,
}: Pick<Message, 'metadata' | 'content'>): SharedContact[] {
  return metadata.contacts ?? writtenContacts(content)
}

function writtenContacts(content: string): SharedContact[] {
  const parsed = writtenCard.safeParse(parsedJson(content))
  const cards = parsed.success ? [parsed.data] : blocksOf(content).map(cardOf)
  return cards.flatMap(({ fullName, displayName, phoneNumber, ...rest }) => {
    const name = fullName ?? displayName ?? ''
    if (name === '' && phoneNumber === undefined) return []
    return [{ name, phones: phoneNumber === undefined ? [] : [{ number: phoneNumber }], ...rest }]
  })
}

/** The field that each line of a written card fills, by its label. */
const lineNames = new Map<string, keyof z.infer<typeof writtenCard>>([
  ['nome completo', 'fullName'],
  ['nome', 'fullName'],
  ['telefone', 'phoneNumber'],
  ['organização', 'organization'],
  ['e-mail', 'email'],
  ['email', 'email'],
  ['url', 'url'],
  ['site', 'url'],
])

/** Cards are separated by empty lines. Several of them have a line with their count above. */
function blocksOf(content: string): string[] {
  return content.replace(/^\d{1,4} contatos?\n/i, '').split(/\n\s*\n/)
}

function cardOf(block: string): z.infer<typeof writtenCard> {
  const lines = block.split('\n').flatMap((line) => {
    const at = line.indexOf(':')
    const name = lineNames.get(line.slice(0, at).trim().toLowerCase())
    const value = line.slice(at + 1).trim()
    return at > 0 && name && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries(lines)
}

function parsedJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * How a phone number of a card is shown and dialled. Brazilian numbers are formatted. Others are shown as
 * written, and dialled only if their country code is certain.
 */
export function phoneOf({ number, waId }: SharedContact['phones'][number]): {
  shown: string
  href: string | undefined
} {
  const isCertain = waId !== undefined || number.trim().startsWith('+')
  const digits = (waId ?? number).replace(/\D/g, '')
  const brazilian = isCertain && !digits.startsWith('55') ? undefined : brazilianPhone(digits)
  if (brazilian !== undefined) return { shown: formatPhone(brazilian), href: `tel:+${brazilian}` }
  const isDialled = isCertain && /^\d{8,15}$/.test(digits)
  return { shown: number.trim() || `+${waId ?? ''}`, href: isDialled ? `tel:+${digits}` : undefined }
}

/** The first number of a card that can be messaged, with its country code: '+5511987654321'. */
export function startablePhone({ phones }: SharedContact): string | undefined {
  const dialled = phones.map((phone) => phoneOf(phone).href).find((href) => href !== undefined)
  return dialled?.replace('tel:', '')
}

/** Only a bare address: anything after a '?' would prefill the mail. */
export function mailAddress(email: string): string | undefined {
  return /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(email) ? `mailto:${email}` : undefined
}

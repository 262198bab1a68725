import type { Notification } from '#shared/notifications/notifications.ts'
import { messageTypeLabel } from '#shared/messages/message-kinds.ts'
import { actText } from '#shared/text/conversations/event-texts.ts'
import { unknownContact } from '#shared/text/text.ts'

interface Wording {
  /** Who did what. */
  title: string
  /** In whose conversation. */
  place: string
  /** What was written; '' for nothing. */
  sentence: string
}

/** Instead of everything that a notification says, once its conversation has left the person's reach. */
export const outOfReach = 'conversa fora do seu alcance'

const team = 'Equipe'

/** The words of a notification; undefined when its conversation is out of reach. */
export function wordingOf({ kind, about, count }: Notification): Wording | undefined {
  if (!about) return undefined
  const { contactName, by, sectorName, message } = about
  const who = by?.name ?? team
  const place = `em ${contactName || unknownContact}`
  const sentence = !message || message.isDeleted ? '' : message.content
  if (kind === 'mention')
    return { title: `${who} mencionou ${sectorName === null ? 'você' : `@${sectorName}`}`, place, sentence }
  const others = count > 1 ? ` · e mais ${count - 1} ${count === 2 ? 'novidade' : 'novidades'}` : ''
  return { title: happeningOf(message, who), place: place + others, sentence }
}

type About = NonNullable<Notification['about']>

function happeningOf(message: About['message'], who: string): string {
  if (!message) return 'Há algo novo'
  const { messageType, senderType, act, to, isDeleted } = message
  if (act !== null) return actText(who, act, to ?? undefined)
  if (messageType === 'note') return isDeleted ? 'Nota excluída' : `${who} escreveu uma nota`
  const what = messageType === 'text' ? 'uma mensagem' : messageTypeLabel(messageType).toLowerCase()
  return senderType === 'contact' ? `O cliente mandou ${what}` : `${who} escreveu`
}

/** Parts of a text, of which those that mention somebody stand out. */
export function partsOf(text: string, names: readonly string[]): { text: string; isMention: boolean }[] {
  // The longest first: 'Ana' is also the beginning of 'Ana Beatriz'.
  const marks = [...new Set(names)].map((name) => `@${name}`).toSorted((a, b) => b.length - a.length)
  const parts: { text: string; isMention: boolean }[] = []
  let rest = text
  while (rest !== '') {
    const found = marks
      .map((mark) => ({ mark, at: rest.indexOf(mark) }))
      .filter(({ at }) => at >= 0)
      .reduce<{ mark: string; at: number } | undefined>(
        (first, one) => (!first || one.at < first.at ? one : first),
        undefined,
      )
    if (!found) return [...parts, { text: rest, isMention: false }]
    if (found.at > 0) parts.push({ text: rest.slice(0, found.at), isMention: false })
    parts.push({ text: found.mark, isMention: true })
    rest = rest.slice(found.at + found.mark.length)
  }
  return parts
}

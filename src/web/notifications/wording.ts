import type { Notification } from '#shared/notifications/notifications.ts'
import { messageTypeLabel } from '#shared/messages/message-kinds.ts'
import { actText } from '#shared/text/conversations/event-texts.ts'
import { unknownContact } from '#shared/text/text.ts'
import { plainText } from '#web/ui/rich-text/plain-text.ts'

interface Wording {
  /** Who did what. */
  title: string
  /** In whose conversation. */
  place: string
  /** What was written, without the signs of its formatting; '' for nothing. */
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
  const sentence = !message || message.isDeleted ? '' : plainText(message.content)
  if (kind === 'mention')
    return { title: `${who} mencionou ${sectorName === null ? 'você' : `@${sectorName}`}`, place, sentence }
  if (kind === 'failed_reply')
    return { title: 'Mensagem não enviada', place: `a ${contactName || unknownContact}`, sentence }
  if (kind === 'returned')
    return { title: 'A conversa voltou da espera', place: `com ${contactName || unknownContact}`, sentence }
  if (kind === 'sla_reply' || kind === 'sla_end') {
    const title =
      kind === 'sla_reply' ? 'Prazo de resposta perto do fim' : 'Prazo de encerramento perto do fim'
    return { title, place: `com ${contactName || unknownContact}`, sentence: '' }
  }
  if (kind === 'unsent_schedule')
    return { title: 'Mensagem agendada não enviada', place: `a ${contactName || unknownContact}`, sentence }
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

import type { ArchivedDetail } from '#shared/conversations/archive.ts'
import { messageTypeLabel } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { actText } from './event-texts.ts'
import { callText, hiddenNumber, unknownContact } from '#shared/text/text.ts'
import { transcriptionLabel } from '#shared/text/conversations/transcription-texts.ts'
import { handlingTime } from '#shared/text/time/handling-time.ts'

// A conversation in words, for the files that it is saved as.

/** '22/10/2026 14:07' in a time zone, by its IANA name; 'N/A' for none. */
export const zonedTime = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (instant: string | null) =>
    instant === null ? 'N/A' : format.format(Date.parse(instant)).replace(', ', ' ')
}

export const conversationTitle = (conversation: ArchivedDetail) => `Conversa com ${contactName(conversation)}`

const contactName = ({ contact }: ArchivedDetail) => contact.name || unknownContact

/** Who wrote a message: the contact, a person of the team, or nobody. */
export function authorInWords(conversation: ArchivedDetail, message: Message): string {
  if (message.senderType === 'contact') return contactName(conversation)
  if (message.senderName !== null) return message.senderName
  return { phone: 'Celular', api: 'API', assistant: 'IA', automatic: 'Mensagem automática' }[
    message.metadata.origin ?? 'automatic'
  ]
}

/** What a message says in words. */
export function messageInWords(conversation: ArchivedDetail, message: Message): string {
  const { content, messageType, metadata, fileName, deletedAt } = message
  if (deletedAt !== null) return '(apagada)'
  if (metadata.event) {
    const { act, to, ended } = metadata.event
    const text = actText(authorInWords(conversation, message), act, to, ended, metadata.event)
    return content === '' ? text : `${text}. Nota: ${content}`
  }
  if (metadata.call) return callText(metadata.call)
  const { poll, location, contacts = [] } = metadata
  const said = message.transcription?.text
  const more = [
    said && `[${transcriptionLabel}] ${said}`,
    ...(poll?.options ?? []).map((option) => `- ${option}`),
    ...contacts.map(({ name, phones }) => [name, ...phones.map(({ number }) => number)].join(', ')),
    location &&
      [location.name, location.address, `${location.latitude}, ${location.longitude}`]
        .filter(Boolean)
        .join(', '),
  ].filter((text) => text !== undefined && text !== '')
  const kind = messageTypeLabel(messageType)
  const head =
    kind === '' || messageType === 'unsupported' ? '' : `[${kind}${fileName ? `: ${fileName}` : ''}]`
  return [head, content, ...more].filter((text) => text !== '').join('\n') || kind
}

/** Facts of the conversation, each with its name. */
export function conversationFacts(conversation: ArchivedDetail, timezone: string): [string, string][] {
  const { contact, protocol, assignedUser, startedAt, completedAt, notes, rating } = conversation
  const time = zonedTime(timezone)
  return [
    ['Contato', contactName(conversation)],
    ['Telefone', contact.phone ? formatPhone(contact.phone) : hiddenNumber],
    ...(contact.company ? [['Empresa', contact.company.name] as [string, string]] : []),
    ['Protocolo', protocol],
    ['Operador', assignedUser?.name ?? 'N/A'],
    ['Início', time(startedAt)],
    ['Finalizada', time(completedAt)],
    ['Duração', handlingTime(startedAt, completedAt)],
    ...(notes ? [['Notas', notes] as [string, string]] : []),
    ...(rating
      ? [
          ['Avaliação', `${rating.serviceRating} de 5${rating.feedback ? `, “${rating.feedback}”` : ''}`] as [
            string,
            string,
          ],
        ]
      : []),
  ]
}

/** What the timeline shows: the confirmed messages and, after them, what is on its way. Pure. */
import type { Message } from '#shared/conversations.ts'
import type { Send } from '../sends.ts'

/** `error`: what the server said when it refused; null while the send is on its way. */
export type PendingSend = Send & { error: string | null }

export interface MessageItem {
  kind: 'message'
  key: string
  message: Message
  /** Present until the server has confirmed it. */
  pending: PendingSend | null
  startsGroup: boolean
  endsGroup: boolean
}
export type TimelineItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string; count: number }
  | { kind: 'queued'; key: string; at: string }
  | MessageItem

const groupGapMs = 2 * 60_000

/**
 * @param confirmed oldest first
 * @param pending in the order of composing
 * @param dayOf the calendar day of an instant as 'YYYY-MM-DD', in the time zone of the operation
 */
export function timeline(
  confirmed: readonly Message[],
  pending: readonly PendingSend[],
  dayOf: (instant: string) => string,
): TimelineItem[] {
  const known = new Set(confirmed.map((message) => message.clientMessageId))
  const rows = [
    ...confirmed.map((message) => ({ message, pending: null })),
    ...pending
      .filter((send) => !known.has(send.clientMessageId))
      .map((send) => ({ message: asMessage(send), pending: send })),
  ]
  const items: TimelineItem[] = []
  let day: string | undefined
  for (const [index, row] of rows.entries()) {
    const rowDay = laterDay(day, dayOf(row.message.sortAt))
    const startsDay = rowDay !== day
    if (startsDay) items.push({ kind: 'day', key: `day-${rowDay}`, at: row.message.sortAt })
    day = rowDay
    const next = rows[index + 1]?.message
    items.push({
      kind: 'message',
      key: row.message.clientMessageId ?? String(row.message.id),
      ...row,
      startsGroup: startsDay || !isSameGroup(rows[index - 1]?.message, row.message),
      endsGroup: !next || laterDay(rowDay, dayOf(next.sortAt)) !== rowDay || !isSameGroup(row.message, next),
    })
  }
  return items
}

/** What is confirmed, with the reactions of ours that are still on their way. @param pending '' takes one back */
export function withReactions(
  confirmed: readonly Message[],
  pending: ReadonlyMap<number, string>,
): readonly Message[] {
  if (pending.size === 0) return confirmed
  return confirmed.map((message) => {
    const emoji = pending.get(message.id)
    if (emoji === undefined) return message
    const others = message.reactions.filter(({ from }) => from !== 'user')
    return { ...message, reactions: emoji === '' ? others : [...others, { emoji, from: 'user' }] }
  })
}

/** What is confirmed, saying what our edits that are still on their way make of it. */
export function withEdits(
  confirmed: readonly Message[],
  pending: ReadonlyMap<number, string>,
): readonly Message[] {
  if (pending.size === 0) return confirmed
  return confirmed.map((message) => {
    const content = pending.get(message.id)
    return content === undefined ? message : { ...message, content }
  })
}

/** A browser's clock may be behind: what is on its way never stands on an earlier day than what is above it. */
const laterDay = (day: string | undefined, next: string) => (day !== undefined && next < day ? day : next)

/** Same author, same manner, within two minutes. */
export function isSameGroup(a: Message | undefined, b: Message): boolean {
  return (
    a !== undefined &&
    authorOf(a) === authorOf(b) &&
    Math.abs(Date.parse(b.sortAt) - Date.parse(a.sortAt)) <= groupGapMs
  )
}

function authorOf(message: Message): string {
  if (isLine(message.messageType)) return `line-${message.id}`
  if (message.senderType === 'contact') return 'contact'
  const manner = isSpecial(message.messageType) ? message.messageType : (message.metadata.origin ?? '')
  return `user-${message.senderId ?? ''}-${manner}`
}

/** No bubble: a fact of the conversation, as a thin line. */
export function isLine(type: Message['messageType']): boolean {
  return type === 'view_tracking' || type === 'call' || type === 'event'
}

/** Drawn with an icon and a title of its own. @see mock rule 15 */
export function isSpecial(type: Message['messageType']): boolean {
  return type === 'warning_auto' || type === 'operator_initiated_warning' || type.startsWith('queue')
}

function asMessage(send: PendingSend): Message {
  const composedAt = new Date(send.composedAtMs).toISOString()
  return {
    id: 0,
    conversationId: 'contactId' in send ? 0 : send.conversationId,
    senderId: send.userId,
    senderName: send.userName,
    senderType: 'user',
    content: send.content,
    ...fileOf(send),
    whatsappMessageId: null,
    clientMessageId: send.clientMessageId,
    deliveryStatus: send.error === null ? 'pending' : 'failed',
    failureReason: send.error,
    quoted: send.quoted,
    reactions: [],
    votes: [],
    isPinned: false,
    editedAt: null,
    deletedAt: null,
    sortAt: composedAt,
    sentAt: composedAt,
    createdAt: composedAt,
    version: 0,
  }
}

function fileOf({ file: sent }: PendingSend) {
  if (!sent)
    return {
      messageType: 'text' as const,
      fileName: null,
      fileUrl: null,
      fileMimeType: null,
      fileSize: null,
      metadata: {},
    }
  const { file, url, messageType, ...metadata } = sent
  return {
    messageType,
    fileName: file.name,
    fileUrl: url,
    fileMimeType: file.type,
    fileSize: file.size,
    metadata: { ...(messageType === 'audio' && { isVoice: false }), ...metadata },
  }
}

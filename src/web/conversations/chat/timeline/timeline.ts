/** The rows of the timeline: the confirmed messages, followed by the pending sends. Pure. */
import type { Message } from '#shared/messages/messages.ts'
import type { MessageItem } from '#web/conversations/chat/message/message-item.ts'
import { isLine, isSpecial } from '#web/conversations/kinds/kinds.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'

export type TimelineItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string; count: number }
  | { kind: 'queued'; key: string; at: string }
  | MessageItem

const groupGapMs = 2 * 60_000

/**
 * @param confirmed oldest first
 * @param pending in the order of composing
 * @param dayOf the calendar day of an instant as 'YYYY-MM-DD', in the configured time zone
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

/** The key of the newest message. The last row may be another one, such as 'Entrou na fila'. */
export function newestKey(items: readonly TimelineItem[]): string | undefined {
  return items.findLast((item) => item.kind === 'message')?.key
}

/**
 * The confirmed messages with our pending reactions applied.
 * @param pending by message id; '' removes the reaction
 */
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

/** The confirmed messages with our pending edits applied. */
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

/**
 * The browser's clock may be behind: a pending send is never shown on an earlier day than the row above it.
 */
function laterDay(day: string | undefined, next: string) {
  return day !== undefined && next < day ? day : next
}

/** Whether two messages have the same author and origin, within two minutes of each other. */
export function isSameGroup(a: Message | undefined, b: Message): boolean {
  return (
    a !== undefined &&
    authorOf(a) === authorOf(b) &&
    Math.abs(Date.parse(b.sortAt) - Date.parse(a.sortAt)) <= groupGapMs
  )
}

function authorOf(message: Message): string {
  if (isLine(message.messageType) || message.messageType === 'note') return `line-${message.id}`
  if (message.senderType === 'contact') return 'contact'
  const manner = isSpecial(message.messageType) ? message.messageType : (message.metadata.origin ?? '')
  return `user-${message.senderId ?? ''}-${manner}`
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
    ...(send.isNote && { messageType: 'note' as const }),
    ...(send.mentions && { metadata: { mentions: send.mentions } }),
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

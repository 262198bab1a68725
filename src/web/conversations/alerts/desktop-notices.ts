import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import { unknownContact } from '#shared/text/text.ts'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { plainText } from '#web/ui/rich-text/plain-text.ts'

interface DesktopNotice {
  title: string
  body: string
  /** Replaces an earlier notification with the same tag, in all tabs. */
  tag: string
  onClick: () => void
}

/** Events that are replayed after a disconnection are too old to notify. */
const newsMs = 60_000

/**
 * The desktop notification for a pushed event: a message from one of my clients, a conversation assigned to
 * me or back from hold, a new one in the queue, or a note that mentions me.
 * @param withText whether the message text may appear on the screen
 */
export function noticeOf(
  event: LiveEvent,
  nowMs: number,
  withText: boolean,
): (Omit<DesktopNotice, 'onClick'> & { conversationId: number }) | undefined {
  switch (event.type) {
    case 'customer_message_notification': {
      const { conversation, message } = event.data
      if (message.metadata.recovered || nowMs - Date.parse(message.sentAt) > newsMs) return undefined
      return about(conversation, withText ? wordsOf(message) : 'Nova mensagem')
    }
    case 'mentioned': {
      const { about, happenedAt, isRead } = event.data.notification
      if (!about || isRead || nowMs - Date.parse(happenedAt) > newsMs) return undefined
      const { conversationId, contactName, by, message } = about
      const title = `${by?.name ?? 'Um colega'} mencionou você`
      const text = withText && message?.content ? `: ${lineOf(message.content)}` : ''
      const body = `em ${contactName || unknownContact}${text}`
      return { conversationId, title, body, tag: `mention ${message?.id}` }
    }
    case 'new_conversation_notification':
      return about(event.data.conversation, 'Conversa atribuída a você')
    case 'conversation_returned': {
      const { conversation } = event.data
      const { returnedAt, snoozeReason } = conversation
      if (returnedAt === undefined || nowMs - Date.parse(returnedAt) > newsMs) return undefined
      return about(conversation, withText && snoozeReason ? `Lembrete: ${snoozeReason}` : 'Voltou da espera')
    }
    case 'new_conversation_with_sound': {
      const { conversation } = event.data
      if (nowMs - Date.parse(conversation.startedAt) > newsMs) return undefined
      return about(conversation, 'Nova conversa na fila')
    }
    default:
      return undefined
  }
}

/** Shows the notification for a pushed event, as `noticeOf` words it. */
export function notify(
  event: LiveEvent,
  { nowMs, withText, open }: { nowMs: number; withText: boolean; open: (conversationId: number) => void },
): void {
  const notice = noticeOf(event, nowMs, withText)
  if (!notice) return
  const { conversationId, ...shown } = notice
  showDesktopNotice({ ...shown, onClick: () => open(conversationId) })
}

function about({ id, contact }: Conversation, body: string) {
  return {
    conversationId: id,
    title: contact.name || unknownContact,
    body,
    tag: `conversation ${id}`,
  }
}

function wordsOf({ content, messageType, metadata }: Message) {
  return lineOf(content) || kindLabel(messageType, metadata)
}

const lineOf = (content: string) => plainText(content.slice(0, 1000)).slice(0, 200)

/** Shows a notification if the browser allows it. */
function showDesktopNotice({ title, body, tag, onClick }: DesktopNotice): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    // Silent: sounds are those of the alerts, which can be switched off.
    const shown = new Notification(title, { body, tag, lang: 'pt-BR', silent: true })
    shown.onclick = () => {
      window.focus()
      onClick()
      shown.close()
    }
  } catch (error) {
    // Mobile browsers allow them only for installed pages.
    console.info('No notification here', error)
  }
}

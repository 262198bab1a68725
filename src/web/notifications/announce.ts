import type { QueryClient } from '@tanstack/react-query'
import { viewConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { type Notification, readNotifications } from '#shared/notifications/notifications.ts'
import { unknownContact } from '#shared/text/text.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { cut } from '#web/ui/cut.ts'
import { slaText } from '#web/conversations/conversations.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { addressOf } from './addresses.ts'
import { notificationKeys } from './live.ts'
import { wordingOf } from './wording.ts'

/** What is replayed after a disconnection is too old to announce: the bell counts it. */
const newsMs = 60_000

const mostShown = 120

/** Announces a mention by a toast; one in the conversation in front of the person is read at once. */
export function announce(
  notification: Notification,
  client: QueryClient,
  navigate: (address: string) => void,
): void {
  const { kind, about, happenedAt, isRead } = notification
  const wording = wordingOf(notification)
  if (!about || !wording || isRead) return
  if (conversationInFront() === about.conversationId) return readInFront(client)
  if (serverNow() - Date.parse(happenedAt) > newsMs) return
  const { title, place, sentence } = wording
  toast({
    tone: 'info',
    title,
    description: sentence === '' ? place : `${place}: ${cut(sentence, mostShown)}`,
    action: { label: 'Abrir', onClick: () => navigate(addressOf(kind, about)) },
  })
}

/** Announces by a toast that a conversation has returned from hold; one in front of the person is seen. */
export function announceReturn(
  { id, contact, returnedAt, snoozeReason }: Conversation,
  client: QueryClient,
  navigate: (address: string) => void,
): void {
  if (conversationInFront() === id) {
    void call(viewConversation, { params: { id }, body: { action: 'enter' } }).catch(() => undefined)
    return readInFront(client)
  }
  if (returnedAt === undefined || serverNow() - Date.parse(returnedAt) > newsMs) return
  toast({
    tone: 'info',
    title: `Lembrete: ${contact.name || unknownContact}`,
    description: cut(snoozeReason ?? 'A conversa voltou da espera', mostShown),
    action: { label: 'Abrir', onClick: () => navigate(`/chat?conversation=${id}`) },
  })
}

/** Announces by a toast that the time to a first reply, or to an end, is nearly over. */
export function announceNearEnd(
  { id, contact, sla }: Conversation,
  navigate: (address: string) => void,
): void {
  // Answered meanwhile, or too old to announce.
  if (!sla || Date.parse(sla.dueAt) <= serverNow()) return
  const { told } = slaText(sla, serverNow())
  toast({
    tone: 'info',
    title: `${told.charAt(0).toUpperCase()}${told.slice(1)}`,
    description: contact.name || unknownContact,
    ...(conversationInFront() !== id && {
      action: { label: 'Abrir', onClick: () => navigate(`/chat?conversation=${id}`) },
    }),
  })
}

/** Reads what is told of the conversation in front of the person, who sees it. */
export function readInFront(client: QueryClient): void {
  const conversationId = conversationInFront()
  if (conversationId === undefined) return
  void call(readNotifications, { body: { conversationId } }).then(
    () => client.invalidateQueries({ queryKey: notificationKeys.all }),
    () => undefined,
  )
}

/** @returns undefined when none is, or the window has not the focus */
function conversationInFront(): number | undefined {
  if (!document.hasFocus()) return undefined
  const { pathname, search } = location
  const inChat = pathname === '/chat' ? new URLSearchParams(search).get('conversation') : null
  const id = inChat ?? /^\/conversas-arquivadas\/(\d+)$/.exec(pathname)?.[1]
  return id ? Number(id) : undefined
}

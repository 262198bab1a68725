import type { QueryClient } from '@tanstack/react-query'
import { type Notification, readNotifications } from '#shared/notifications/notifications.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { cut } from '#web/ui/cut.ts'
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
  const { about, happenedAt, isRead } = notification
  const wording = wordingOf(notification)
  if (!about || !wording || isRead) return
  if (isInFront(about.conversationId)) {
    void call(readNotifications, { body: { id: notification.id } }).then(
      () => client.invalidateQueries({ queryKey: notificationKeys.all }),
      () => undefined,
    )
    return
  }
  if (serverNow() - Date.parse(happenedAt) > newsMs) return
  const { title, place, sentence } = wording
  toast({
    tone: 'info',
    title,
    description: sentence === '' ? place : `${place}: ${cut(sentence, mostShown)}`,
    action: { label: 'Abrir', onClick: () => navigate(addressOf(about)) },
  })
}

function isInFront(conversationId: number): boolean {
  if (!document.hasFocus()) return false
  const { pathname, search } = location
  const inChat =
    pathname === '/chat' && Number(new URLSearchParams(search).get('conversation')) === conversationId
  return inChat || pathname === `/conversas-arquivadas/${conversationId}`
}

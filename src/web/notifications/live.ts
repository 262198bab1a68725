import type { QueryClient } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import type { Notification } from '#shared/notifications/notifications.ts'
import { createEmitter } from '#web/platform/emitter.ts'

/** Here, since every page loads this file, and few the list. */
export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
} as const

/**
 * A note mentions the person, or a conversation of theirs has returned from hold, or is nearly due;
 * undefined: something else is other than before.
 */
export const newsHeard = createEmitter<
  { mention: Notification } | { returned: Conversation } | { nearEnd: Conversation } | undefined
>()

export function announceMention({ data }: LiveEventOf<'mentioned'>): void {
  newsHeard.emit({ mention: data.notification })
}

export function announceReturn({ data }: LiveEventOf<'conversation_returned'>): void {
  newsHeard.emit({ returned: data.conversation })
}

export function announceNearEnd({ data }: LiveEventOf<'sla_near'>): void {
  newsHeard.emit({ nearEnd: data.conversation })
}

/** What the person is told of is other than before, or was read on another device. */
export function refetchNotifications({ type }: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: notificationKeys.all })
  if (type === 'notifications_changed') newsHeard.emit(undefined)
}

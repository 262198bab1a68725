import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import type { Notification } from '#shared/notifications/notifications.ts'
import { createEmitter } from '#web/platform/emitter.ts'

/** Here, since every page loads this file, and few the list. */
export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
} as const

/** A note mentions the person; undefined: something else is other than before. */
export const newsHeard = createEmitter<Notification | undefined>()

export function announceMention({ data }: LiveEventOf<'mentioned'>): void {
  newsHeard.emit(data.notification)
}

/** What the person is told of is other than before, or was read on another device. */
export function refetchNotifications({ type }: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: notificationKeys.all })
  if (type === 'notifications_changed') newsHeard.emit(undefined)
}

import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import type { Notification } from '#shared/notifications/notifications.ts'
import { createEmitter } from '#web/platform/emitter.ts'

/** Here, since every page loads this file, and few the list. */
export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
} as const

/** A note mentions the person. */
export const mentionHeard = createEmitter<Notification>()

export function announceMention({ data }: LiveEventOf<'mentioned'>): void {
  mentionHeard.emit(data.notification)
}

/** What the person is told of is other than before, or was read on another device. */
export function refetchNotifications(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: notificationKeys.all })
}

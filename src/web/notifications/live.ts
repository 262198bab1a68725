import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'

/** Here, since every page loads this file, and few the list. */
export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
} as const

/** What the person is told of is other than before, or was read on another device. */
export function refetchNotifications(_event: LiveEvent, client: QueryClient): void {
  void client.invalidateQueries({ queryKey: notificationKeys.all })
}

/** Tells the person that a note mentions them, wherever they are. */
export function announceMention(event: LiveEventOf<'mentioned'>, client: QueryClient): void {
  void import('./announce.ts').then(
    ({ announce }) => announce(event.data.notification, client),
    (error: unknown) => console.info('A mention is not announced', error),
  )
}

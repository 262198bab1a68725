import { mayRead } from '#server/platform/http/reach.ts'
import type { Delivery } from '#server/platform/live/live-delivery.ts'
import { type EventRenderers, renderChanged } from '#server/platform/live/live-render.ts'
import { listMentions, toNotification } from './queries.ts'

export const renderers: EventRenderers<'mentioned' | 'notifications_changed'> = {
  notifications_changed: renderChanged('notifications_changed'),
  /** Whoever may not read the conversation by now hears only that there is something, which REST veils. */
  mentioned: async (db, rows) => {
    const found = await listMentions(
      db,
      rows.map(({ userId, messageId }) => ({ userId: userId ?? 0, messageId: messageId ?? 0 })),
    )
    return rows.map(({ userId, messageId }): Delivery[] => {
      const row = found.find(
        ({ notification }) => notification.userId === userId && notification.messageId === messageId,
      )
      // Taken back meanwhile, which has an event of its own.
      if (!row) return []
      const notification = toNotification(row, true)
      return [
        { event: { type: 'mentioned', data: { notification } }, mayRead: (who) => mayRead(who, row.facts) },
        { event: { type: 'notifications_changed', data: {} }, mayRead: () => true },
      ]
    })
  },
}

import { countUnread, listNotifications, readNotifications } from '#shared/notifications/notifications.ts'
import { type Database, inSnapshot } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { readNotificationsOf } from './notifications.ts'
import { countUnreadOf, listFor } from './queries.ts'

export function routes({ route }: Http, { database }: { database: Database }): void {
  route(listNotifications, ({ query, who }) =>
    inSnapshot(database, async (db) => ({
      ...(await listFor(db, who, query)),
      unread: await countUnreadOf(db, who.id),
    })),
  )

  route(countUnread, ({ who }) => countUnreadOf(database, who.id))

  route(readNotifications, async ({ body, who }) => {
    await readNotificationsOf(database, who.id, body)
    return undefined
  })
}

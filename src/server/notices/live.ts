import { isPermitted } from '#server/platform/http/access.ts'
import type { EventRenderers } from '#server/platform/live/live-render.ts'

export const renderers: EventRenderers<'notices_changed'> = {
  notices_changed: async (_db, rows) =>
    rows.map(() => [
      {
        event: { type: 'notices_changed', data: {} },
        mayRead: (who) => isPermitted(who, { act: 'viewNotices' }),
      },
    ]),
}

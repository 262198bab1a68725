import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import type { Me, Operator } from '#shared/users/users.ts'
import { patchQueries } from '#web/platform/patch-queries.ts'
import { forgetPresence, notePresence, withPresence } from '#web/users/presence/colleagues.ts'
import { applyPresenceEvent } from '#web/users/presence/presence.ts'
import { userQueries } from './queries.ts'

/** Live events about users: the signed-in user's permissions, colleagues' presence, activity in chats. */
export function applyUserEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'permissions_changed' || event.type === 'account_changed')
    void client.invalidateQueries({ queryKey: userQueries.me().queryKey })
  // Now perhaps allowed to see colleagues of whom nothing was pushed.
  if (event.type === 'permissions_changed') forgetPresence()
  if (event.type === 'presence') applyPresence(client, event.data)
  applyPresenceEvent(event)
}

function applyPresence(client: QueryClient, data: Extract<LiveEvent, { type: 'presence' }>['data']): void {
  notePresence(data)
  patchQueries<Operator[]>(client, userQueries.operators().queryKey, withPresence)
  // Changed in another tab or on another device.
  patchQueries<Me>(client, userQueries.me().queryKey, (me) => {
    const state = data.people.find(({ id }) => id === me.id)?.state
    const isAway = state === undefined || state === 'offline' ? me.isAway : state === 'away'
    return isAway === me.isAway ? me : { ...me, isAway }
  })
}

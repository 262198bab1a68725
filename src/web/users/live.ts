import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { applyPresenceEvent } from '#web/users/presence/presence.ts'
import { userQueries } from './queries.ts'

/** Live events about users: the signed-in user's permissions, colleagues' presence, activity in chats. */
export function applyUserEvent(client: QueryClient, event: LiveEvent): void {
  if (event.type === 'permissions_changed' || event.type === 'account_changed')
    void client.invalidateQueries({ queryKey: userQueries.me().queryKey })
  if (event.type === 'presence') applyPresence(client, event.data)
  applyPresenceEvent(event)
}

function applyPresence(
  client: QueryClient,
  { isWhole, people }: Extract<LiveEvent, { type: 'presence' }>['data'],
): void {
  const states = new Map(people.map(({ id, state }) => [id, state]))
  client.setQueryData(userQueries.operators().queryKey, (all) =>
    all?.map((one) => ({ ...one, presence: states.get(one.id) ?? (isWhole ? 'offline' : one.presence) })),
  )
  // Changed in another tab or on another device.
  client.setQueryData(userQueries.me().queryKey, (me) => {
    const state = me && states.get(me.id)
    return !me || state === undefined || state === 'offline' ? me : { ...me, isAway: state === 'away' }
  })
}

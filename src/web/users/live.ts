import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf } from '#shared/live-events.ts'
import type { Me, Operator } from '#shared/users/users.ts'
import { patchQueries } from '#web/platform/patch-queries.ts'
import { refetchPauses } from '#web/users/presence/pauses.ts'
import { notePresence, withPresence } from '#web/users/presence/colleagues.ts'
import { userQueries } from './queries.ts'

/**
 * Fetches again what this person may do, and what their account says. What was fetched while telephone
 * numbers were shown is gone when they are hidden, and the other way round.
 */
export function refetchMe(_event: LiveEvent, client: QueryClient): void {
  const { queryKey } = userQueries.me()
  const isHidden = () => client.getQueryData(queryKey)?.hidesPhones
  const before = isHidden()
  void client.invalidateQueries({ queryKey }).then(() => {
    if (isHidden() !== before)
      void client.resetQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
  })
}

/** Shows which colleagues are online. */
export function showPresence({ data }: LiveEventOf<'presence'>, client: QueryClient): void {
  notePresence(data)
  patchQueries<Operator[]>(client, userQueries.operators().queryKey, withPresence)
  // Changed in another tab or on another device.
  patchQueries<Me>(client, userQueries.me().queryKey, (me) => {
    const own = data.people.find(({ id }) => id === me.id)
    if (!own || own.state === 'offline') return me
    const isAway = own.state === 'away'
    const pause = own.pause ?? null
    const isSame = isAway === me.isAway && JSON.stringify(pause) === JSON.stringify(me.pause)
    return isSame ? me : { ...me, isAway, pause }
  })
}

/** Whoever answers a client or takes a conversation in a pause may have come back from it. */
export function noticeWork({ data: { message } }: LiveEventOf<'new_message'>, client: QueryClient): void {
  const me = client.getQueryData(userQueries.me().queryKey)
  if (!me?.pause || message.senderId !== me.id) return
  if (message.deliveryStatus === null && message.metadata.event?.act !== 'taken') return
  const { pause } = me
  void import('./presence/ask-to-return.ts').then(
    ({ askToReturn }) => askToReturn(client, pause),
    () => undefined,
  )
}

export const onPushed = { account_changed: [refetchMe], pauses_changed: [refetchPauses] }

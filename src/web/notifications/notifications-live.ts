import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import { mentionHeard } from './live.ts'

const load = loadedAhead(() => import('./announce.ts'))

/** Announces mentions while somebody is signed in, wherever they are. */
export function NotificationsLive(): null {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  useEffect(
    () =>
      mentionHeard.on((notification) => {
        void load().then(
          ({ announce }) => announce(notification, client, navigate),
          (error: unknown) => console.info('A mention is not announced', error),
        )
      }),
    [client, navigate],
  )
  return null
}

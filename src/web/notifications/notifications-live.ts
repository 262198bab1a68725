import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import { newsHeard } from './live.ts'

const load = loadedAhead(() => import('./announce.ts'))

const ignore = (error: unknown) => console.info('Nothing is announced', error)

/**
 * Announces mentions and returns from hold while somebody is signed in, and reads what is told of the chat in
 * front of them.
 */
export function NotificationsLive(): null {
  const client = useQueryClient()
  const [path, navigate] = useLocation()
  // A chat reads it by the view that it records; the archive records none.
  const isArchived = path.startsWith('/conversas-arquivadas/')
  useEffect(() => {
    if (isArchived) void load().then(({ readInFront }) => readInFront(client), ignore)
  }, [isArchived, path, client])
  useEffect(
    () =>
      newsHeard.on((news) => {
        void load().then(({ announce, announceNearEnd, announceReturn, readInFront }) => {
          if (news === undefined) readInFront(client)
          else if ('mention' in news) announce(news.mention, client, navigate)
          else if ('returned' in news) announceReturn(news.returned, client, navigate)
          else announceNearEnd(news.nearEnd, navigate)
        }, ignore)
      }),
    [client, navigate],
  )
  return null
}

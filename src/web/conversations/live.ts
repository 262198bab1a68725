import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { LiveEvent } from '#shared/live-events.ts'
import { onLiveEvent, onResync } from '#web/platform/live.ts'
import { pollInterval } from '#web/platform/query-client.ts'
import { playTone, soundChoice } from '#web/platform/sound.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { alertFor, noAlerts, type AlertNews } from './alerts.ts'
import { applyLiveEvent } from './apply-live-event.ts'
import { restoreSends } from './mutations.ts'
import { conversationQueries } from './queries.ts'
import { useWaitingCount } from './waiting-count.ts'

/** Keeps the conversations live while somebody is signed in: cache, sounds, title, and sends left from before. */
export function ConversationsLive(): null {
  const client = useQueryClient()
  const { id: userId } = useMe()
  const { judge, silence } = useAlerts(client)

  useEffect(() => restoreSends(client, userId), [client, userId])
  useEffect(
    () =>
      onLiveEvent((event) => {
        const news = newsOf(event)
        if (news) judge(news)
        applyLiveEvent(client, event)
      }),
    [client, judge],
  )
  useEffect(() => onResync(silence), [silence])
  useTitle(useWaitingCount())
  return null
}

/** What a pushed event means for the ear; undefined: nothing. */
export function newsOf(event: LiveEvent): AlertNews | undefined {
  switch (event.type) {
    case 'new_conversation_with_sound': {
      const { conversation, playSound } = event.data
      return { kind: 'row', row: conversation, sound: playSound ? 'pushed' : 'none' }
    }
    case 'new_conversation':
      return { kind: 'row', row: event.data.conversation, sound: 'none' }
    case 'new_conversation_notification':
    case 'customer_message_notification':
    case 'message_received':
    case 'new_message':
    case 'conversation_updated':
    case 'conversation_transferred':
      return { kind: 'row', row: event.data.conversation, sound: 'ordinary' }
    default:
      return undefined
  }
}

const monitorMs = 2000
const drawnWithinMs = 50
const listPaths = new Set(['/conversas-ativas', '/conversations'])

/** Watches the open conversations, quickly only while nothing is pushed, and rings. */
function useAlerts(client: QueryClient) {
  const [path] = useLocation()
  const state = useRef(noAlerts)
  const isSilent = useRef(false)
  const isOnList = useRef(false)
  useEffect(() => {
    isOnList.current = listPaths.has(path)
  }, [path])

  const judge = useCallback((news: AlertNews) => {
    const result = alertFor(state.current, news, performance.now(), isOnList.current)
    state.current = result.state
    if (result.ring && soundChoice.get()) void playTone(result.ring.tone, result.ring.volume)
  }, [])
  const { data: rows } = useQuery({
    ...conversationQueries.open(),
    enabled: useCan('canViewConversations'),
    refetchInterval: pollInterval(monitorMs),
  })
  useEffect(() => {
    if (rows) judge({ kind: 'list', rows, isSilent: isSilent.current })
  }, [rows, judge])

  /** Everything is about to be fetched: what that brings is known afterwards without having rung. */
  const silence = useCallback(() => {
    isSilent.current = true
    // The list is judged by an effect, after the fetch has been drawn.
    const end = () => setTimeout(() => (isSilent.current = false), drawnWithinMs)
    const { queryKey } = conversationQueries.open()
    setTimeout(() => void client.refetchQueries({ queryKey }, { cancelRefetch: false }).then(end), 0)
  }, [client])
  return { judge, silence }
}

function useTitle(waiting: number): void {
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Balcão` : 'Balcão'
  }, [waiting])
}

import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { LiveEvent } from '#shared/live-events.ts'
import { desktopChoice } from '#web/platform/browser/desktop.ts'
import { onResync } from '#web/platform/live/live.ts'
import { setFaviconBadge } from '#web/platform/browser/favicon.ts'
import { pollInterval } from '#web/platform/api/query-client.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { playTone, soundChoice } from '#web/platform/browser/sound.ts'
import { settingsQueries, useSilence } from '#web/settings/settings.tsx'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { alertFor, noAlerts, type AlertChange } from '#web/conversations/alerts/alerts.ts'
import { failureNotice, type AnnouncedFailures } from '#web/conversations/alerts/failed-sends.ts'
import { setAlerts } from '#web/conversations/alerts/live-alerts.ts'
import { keepDraftsSaved } from '#web/conversations/drafts/save-drafts.ts'
import { restoreSends } from '#web/conversations/sends/send-mutations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useUnreadMine } from '#web/conversations/mutations/reads.ts'

/**
 * Keeps the conversations live while somebody is signed in: sounds, title and favicon, drafts, unconfirmed
 * sends. What is pushed is shown by `room-events.ts`.
 */
export function ConversationsLive(): null {
  const client = useQueryClient()
  const { id: userId } = useMe()
  const silenceAt = useSilence()
  /** Whether silent hours keep something quiet. A mention may be announced in them. */
  const isQuiet = useCallback(
    (isMention = false) => {
      const found = silenceAt(serverNow())
      return found !== undefined && !(isMention && found?.mentions)
    },
    [silenceAt],
  )
  const { judge, silence } = useAlerts(client, userId, isQuiet)
  const notifyDesktop = useDesktopNotices(isQuiet)
  const announceFailure = useFailureToasts(userId)
  const notify = useCallback(
    (event: LiveEvent) => {
      announceFailure(event)
      notifyDesktop(event)
    },
    [announceFailure, notifyDesktop],
  )

  useEffect(() => restoreSends(client, userId), [client, userId])
  useEffect(() => keepDraftsSaved({ client, userId }), [client, userId])
  useEffect(() => setAlerts({ judge, notify }), [judge, notify])
  useEffect(() => onResync(silence), [silence])
  useTabMarks(useUnreadMine())
  useQuery({ ...conversationQueries.drafts(), enabled: useCan('viewConversations') })
  return null
}

const loadNotices = loadedAhead(() => import('#web/conversations/alerts/desktop-notices.ts'))

type IsQuiet = (isMention?: boolean) => boolean

function useDesktopNotices(isQuiet: IsQuiet): (event: LiveEvent) => void {
  const [, navigate] = useLocation()
  return useCallback(
    (event) => {
      const choice = desktopChoice.get()
      // Whether somebody looks is asked now, and not once the code has come.
      if (choice === 'off' || (document.visibilityState === 'visible' && document.hasFocus())) return
      if (isQuiet(event.type === 'mentioned')) return
      const open = (id: number) => navigate(`/chat?conversation=${id}`)
      const nowMs = serverNow()
      void loadNotices().then(
        ({ notify }) => notify(event, { nowMs, withText: choice === 'texts', open }),
        (error: unknown) => console.info('No notifications', error),
      )
    },
    [navigate, isQuiet],
  )
}

/** Announces that a reply did not go out, wherever the person is. */
function useFailureToasts(userId: number): (event: LiveEvent) => void {
  const [, navigate] = useLocation()
  const announced = useRef<AnnouncedFailures>(new Set())
  return useCallback(
    (event) => {
      const open = (id: number) => navigate(`/chat?conversation=${id}`)
      const listener = { userId, nowMs: serverNow(), viewedId: viewedChat(), open }
      const notice = failureNotice(event, announced.current, listener)
      if (notice) toast(notice)
    },
    [userId, navigate],
  )
}

const monitorMs = 2000
const drawnWithinMs = 50
const listPaths = new Set(['/conversas-ativas', '/conversations'])

/** The conversation of the chat in front of the person; undefined in a window without the focus. */
function viewedChat(): number | undefined {
  if (location.pathname !== '/chat' || !document.hasFocus()) return undefined
  return Number(new URLSearchParams(location.search).get('conversation'))
}

/** Watches the open conversations, polling quickly only while nothing is pushed, and plays the alerts. */
function useAlerts(client: QueryClient, userId: number, isQuiet: IsQuiet) {
  const [path] = useLocation()
  const state = useRef(noAlerts)
  const isSilent = useRef(false)
  const isOnList = useRef(false)
  /** False until the settings are known: a team that has sounds off must not hear one in between. */
  const isSwitchedOn = useRef(false)
  const { data: settings } = useQuery(settingsQueries.system())
  useEffect(() => {
    isOnList.current = listPaths.has(path)
    isSwitchedOn.current = settings?.enableSoundNotifications === true
  }, [path, settings])

  const judge = useCallback(
    (change: AlertChange) => {
      const listener = { userId, isOnList: isOnList.current, viewedId: viewedChat() }
      const result = alertFor(state.current, change, performance.now(), listener)
      state.current = result.state
      if (result.ring && soundChoice.get() && isSwitchedOn.current && !isQuiet())
        void playTone(result.ring.tone, result.ring.volume)
    },
    [userId, isQuiet],
  )
  const { data: rows } = useQuery({
    ...conversationQueries.open(),
    enabled: useCan('viewConversations'),
    refetchInterval: pollInterval(monitorMs),
  })
  useEffect(() => {
    if (rows) judge({ kind: 'list', rows, isSilent: isSilent.current })
  }, [rows, judge])

  /** Called before everything is refetched, so that changes found by that do not ring. */
  const silence = useCallback(() => {
    isSilent.current = true
    // The list is checked by an effect, after the fetch has been rendered.
    const end = () => setTimeout(() => (isSilent.current = false), drawnWithinMs)
    const { queryKey } = conversationQueries.open()
    setTimeout(() => void client.refetchQueries({ queryKey }, { cancelRefetch: false }).then(end), 0)
  }, [client])
  return { judge, silence }
}

/** '(3) Balcão' and the badge of the favicon; removed at sign-out. */
function useTabMarks(unread: number): void {
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Balcão` : 'Balcão'
    setFaviconBadge(unread)
  }, [unread])
  useEffect(
    () => () => {
      document.title = 'Balcão'
      setFaviconBadge(0)
    },
    [],
  )
}

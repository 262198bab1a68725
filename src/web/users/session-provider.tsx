import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#shared/users/users.ts'
import { sessionBegan } from '#web/platform/api/api.ts'
import { setTimeZone, useTimeZone } from '#web/platform/dates.ts'
import { startLive, stopLive } from '#web/platform/live/live.ts'
import { onTokenChange, storedToken, storeToken } from '#web/platform/api/token.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { ConfirmHost } from '#web/users/confirm/confirm-host.tsx'
import { LoginOverlay } from '#web/users/login/login-overlay.tsx'
import type { LoginReply } from '#web/users/login/login-form.tsx'
import { LoginScreen } from '#web/users/login/login-screen.tsx'
import { MeContext } from './me-context.ts'
import { userQueries } from './queries.ts'
import { sessionState, signOut, startAnew } from './session.ts'

const EntryScreen = onDemand(async () => (await import('./profile/entry-screen.tsx')).EntryScreen)

/** From the response to the first screen. @see specification §2 Login */
const enterAfterMs = 100

/**
 * Renders the login or its children. When a session ends, the login covers the children, which stay mounted:
 * after the same user has signed in again everything is as it was.
 */
export function SessionProvider({
  loading,
  children,
}: {
  /** Shown until it is known who has signed in. */
  loading: ReactNode
  children: ReactNode
}) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const token = useSyncExternalStore(onTokenChange, storedToken)
  const state = useSyncExternalStore(sessionState.subscribe, sessionState.get)
  const [isEntering, setIsEntering] = useState(false)
  const identity = useQuery({
    ...userQueries.me(),
    enabled: token !== null && state === 'open' && !isEntering,
  })
  const me = identity.data
  const zone = useTimeZone()
  useLiveLink(me?.id, state === 'open' && !me?.pending)
  useEffect(() => {
    if (state === 'doubtful') void settleDoubt(client)
  }, [client, state])

  const enter = async ({ token: given, user, timezone }: LoginReply) => {
    setTimeZone(timezone)
    if (me && me.id !== user.id) {
      storeToken(given)
      startAnew()
      return new Promise<void>(() => undefined)
    }
    setIsEntering(true)
    storeToken(given)
    if (!me) {
      await new Promise((done) => setTimeout(done, enterAfterMs))
      navigate('/', { replace: true })
    }
    resume(client, user)
    setIsEntering(false)
  }

  if (!me && token !== null && !isEntering) {
    if (identity.isError)
      return (
        <div className="grid h-full">
          <ErrorState
            title="Falha ao buscar usuário"
            description={identity.error.message}
            isRetrying={identity.isFetching}
            onRetry={() => void identity.refetch()}
          />
        </div>
      )
    return loading
  }
  if (!me) return <LoginScreen onEntered={enter} />
  return (
    <MeContext value={me}>
      {me.pending ? (
        <EntryScreen me={me} pending={me.pending} onClose={() => void signOut()} />
      ) : (
        // With another zone every time that is shown is another one.
        <Fragment key={zone}>{children}</Fragment>
      )}
      <ConfirmHost />
      {state === 'ended' && (
        <LoginOverlay>
          <LoginScreen username={me.username} onEntered={enter} />
        </LoginOverlay>
      )}
    </MeContext>
  )
}

function useLiveLink(id: number | undefined, isOpen: boolean): void {
  useEffect(() => {
    if (id === undefined || !isOpen) return
    startLive(id)
    return stopLive
  }, [id, isOpen])
}

/** Sends the waiting calls first, then refetches what is shown. */
function resume(client: QueryClient, user: Me): void {
  client.setQueryData(userQueries.me().queryKey, user)
  sessionBegan()
  sessionState.set('open')
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}

/** Another tab has signed in: the same user continues, for a different one the page reloads. */
async function settleDoubt(client: QueryClient): Promise<void> {
  const { queryKey } = userQueries.me()
  const before = client.getQueryData(queryKey)
  try {
    const user = await client.fetchQuery({ ...userQueries.me(), staleTime: 0 })
    if (before && before.id !== user.id) startAnew()
    else resume(client, user)
  } catch (error) {
    console.warn('The session of the other tab could not be asked', error)
    sessionState.set('ended')
  }
}

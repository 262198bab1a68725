import { queryOptions } from '@tanstack/react-query'
import { getMe, listOperators } from '#shared/users/users.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { setTimeZone } from '#web/platform/dates.ts'
import { beginLiveAt } from '#web/platform/live/live.ts'
import { withPresence } from '#web/users/presence/colleagues.ts'
import { storeToken } from '#web/platform/api/token.ts'

const freshMs = 5 * 60_000

export const userQueries = {
  /** The signed-in user. A 401 clears the token. @see specification §4 Auth */
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: async ({ signal }) => {
        try {
          const { user, live, timezone } = await call(getMe, { signal })
          setTimeZone(timezone)
          beginLiveAt(user.id, live)
          return user
        } catch (error) {
          if (error instanceof ApiError && error.status === 401) storeToken(null)
          throw error
        }
      },
      staleTime: freshMs,
      gcTime: Infinity,
      refetchInterval: false,
    }),

  /** The operators who can receive a conversation, with their presence and load. */
  operators: () =>
    queryOptions({
      queryKey: ['operators'],
      queryFn: async ({ signal }) => withPresence(await call(listOperators, { signal })),
    }),
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Me, PauseNow } from '#shared/users/users.ts'
import { type ChosenPresence, type PauseReason, setPresence } from '#shared/workday/pauses.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/me-context.ts'
import { userQueries } from '#web/users/queries.ts'

/** What a person chose to be. */
export type Chosen = 'available' | 'away' | PauseReason

interface OwnPresence {
  isAway: boolean
  pause: PauseNow | null
  choose: (chosen: Chosen) => void
}

/** What the signed-in person says of themselves: updated optimistically, taken back when refused. */
export function useOwnPresence(): OwnPresence {
  const client = useQueryClient()
  const { isAway, pause } = useMe()
  const { queryKey } = userQueries.me()
  const show = (shown: Pick<Me, 'isAway' | 'pause'>) =>
    client.setQueryData(queryKey, (me) => me && { ...me, ...shown })
  const { mutate } = useMutation({
    mutationFn: (chosen: Chosen) => call(setPresence, { body: bodyOf(chosen) }),
    // Requests of a quick double click are sent in order.
    scope: { id: 'presence' },
    onMutate: async (chosen) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey) ?? { isAway, pause }
      const isSame = typeof chosen !== 'string' && chosen.id === before.pause?.reasonId
      const next = typeof chosen === 'string' ? null : isSame ? before.pause : pauseOf(chosen)
      show({ isAway: chosen === 'away', pause: next })
      return before
    },
    onSuccess: ({ user }) => show(user),
    onError: ({ message }, chosen, before) => {
      if (before) show(before)
      toast({ tone: 'error', title: failedTitle(chosen), ...(message && { description: message }) })
    },
  })
  return { isAway, pause, choose: mutate }
}

function bodyOf(chosen: Chosen): ChosenPresence {
  return typeof chosen === 'string' ? { state: chosen } : { state: 'paused', reasonId: chosen.id }
}

function pauseOf({ id, name, icon, color, limitMinutes }: PauseReason): PauseNow {
  return { reasonId: id, name, icon, color, limitMinutes, since: new Date(serverNow()).toISOString() }
}

function failedTitle(chosen: Chosen): string {
  if (chosen === 'available') return 'Erro ao voltar'
  return chosen === 'away' ? 'Erro ao ficar ausente' : 'Erro ao entrar em pausa'
}

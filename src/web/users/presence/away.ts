import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setAway } from '#shared/users/users.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/me-context.ts'
import { userQueries } from '#web/users/queries.ts'

/** 'Ausente' set by hand: updated optimistically, reverted when refused. */
export function useAway(): { isAway: boolean; setIsAway: (isAway: boolean) => void } {
  const client = useQueryClient()
  const { isAway } = useMe()
  const { queryKey } = userQueries.me()
  const show = (shown: boolean) => client.setQueryData(queryKey, (me) => me && { ...me, isAway: shown })
  const { mutate } = useMutation({
    mutationFn: (wanted: boolean) => call(setAway, { body: { isAway: wanted } }),
    // Requests of a quick double click are sent in order.
    scope: { id: 'away' },
    onMutate: async (wanted) => {
      await client.cancelQueries({ queryKey })
      show(wanted)
    },
    onError: ({ message }, wanted) => {
      show(!wanted)
      toast({
        tone: 'error',
        title: wanted ? 'Erro ao ficar ausente' : 'Erro ao voltar',
        ...(message && { description: message }),
      })
    },
  })
  return { isAway, setIsAway: mutate }
}

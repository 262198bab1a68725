import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { dismissNotice, listNotices, type Notice, notices } from '#shared/notices/notices.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { noticesKey } from './live.ts'
import { shownNotices } from './shown-notices.ts'

function lastShown(): Notice[] | undefined {
  try {
    return notices.parse(JSON.parse(shownNotices.get() ?? ''))
  } catch {
    return undefined
  }
}

export const noticeQueries = {
  /** What is wrong with the installation, without what the person has dismissed. */
  list: () =>
    queryOptions({
      queryKey: noticesKey,
      queryFn: async ({ signal }) => {
        const found = await call(listNotices, { signal })
        shownNotices.set(JSON.stringify(found))
        return found
      },
      placeholderData: lastShown,
    }),
}

/** Dismisses a notice for a day, at once. */
export function useDismiss() {
  const client = useQueryClient()
  const { queryKey } = noticeQueries.list()
  return useMutation({
    mutationFn: (id: number) => call(dismissNotice, { params: { id } }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known?.filter((notice) => notice.id !== id))
    },
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Não foi possível dispensar o aviso', description: message }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

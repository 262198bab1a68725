import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createTag,
  deleteTag,
  listManagedTags,
  type NewTag,
  orderTags,
  type TagChange,
  updateTag,
} from '#shared/tags/managed-tags.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { tagKeys } from '#web/tags/tags.tsx'
import { toast } from '#web/ui/states/toast.ts'

export const managedTags = () =>
  queryOptions({
    queryKey: [...tagKeys.all, 'managed'],
    queryFn: ({ signal }) => call(listManagedTags, { signal }),
  })

/** Also after a refusal: a colleague may have changed something. */
function useRefetch() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: tagKeys.all })
}

/** A new tag, or a change of the given one. */
export function useSaveTag(id: number | undefined) {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: async ({ version, ...body }: NewTag & Pick<TagChange, 'version'>): Promise<void> => {
      if (id === undefined) await call(createTag, { body })
      else await call(updateTag, { params: { id }, body: { ...body, version } })
    },
    // The new one is shown before its dialog closes.
    onSettled: refetch,
  })
}

export function useSwitchTag() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: ({ id, isActive }: { id: number; isActive: boolean }) =>
      call(updateTag, { params: { id }, body: { isActive } }),
    onError: (error) => toast({ tone: 'error', title: `A etiqueta não foi mudada: ${reasonOf(error)}` }),
    onSettled: () => void refetch(),
  })
}

export function useDeleteTag() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: number) => call(deleteTag, { params: { id } }),
    onSettled: () => void refetch(),
  })
}

/** Shows another order at once, and stores it. Orders are sent one after another. */
export function useOrderTags() {
  const client = useQueryClient()
  const refetch = useRefetch()
  const { queryKey } = managedTags()
  return useMutation({
    scope: { id: 'tag-order' },
    mutationFn: (ids: number[]) => call(orderTags, { body: { ids } }),
    onMutate: (ids) => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) =>
        known?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
      )
    },
    onError: (error) => toast({ tone: 'error', title: `A ordem não foi salva: ${reasonOf(error)}` }),
    onSettled: () => void refetch(),
  })
}

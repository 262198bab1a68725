import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CategoryChange,
  createCategory,
  deleteCategory,
  listManagedCategories,
  type NewCategory,
  updateCategory,
} from '#shared/contacts/managed-categories.ts'
import { contactQueries } from '#web/contacts/queries.ts'
import { call } from '#web/platform/api/api.ts'

export const managedCategories = () =>
  queryOptions({
    queryKey: [...contactQueries.categories().queryKey, 'managed'],
    queryFn: ({ signal }) => call(listManagedCategories, { signal }),
  })

/** A change of a category shows on its contacts, too. */
function useRefetchAll() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [contactQueries.categories().queryKey, contactQueries.all].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
}

/** Creates a category, or changes the one with the id. */
export function useSaveCategory(id: number | undefined) {
  const refetch = useRefetchAll()
  return useMutation({
    mutationFn: async (values: NewCategory | CategoryChange) =>
      id === undefined
        ? (await call(createCategory, { body: values as NewCategory })).id
        : call(updateCategory, { params: { id }, body: values }).then(() => id),
    // Also after a refusal: a colleague may have changed the category.
    onSettled: refetch,
  })
}

export function useDeleteCategory() {
  const refetch = useRefetchAll()
  return useMutation({
    mutationFn: (id: number) => call(deleteCategory, { params: { id } }),
    onSettled: refetch,
  })
}

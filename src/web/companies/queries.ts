import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  type CompanyChange,
  createCompany,
  deleteCompany,
  listCompanies,
  updateCompany,
} from '#shared/companies.ts'
import { call } from '#web/platform/api/api.ts'
import type { PageFilter } from '#web/platform/browser/use-page-filter.ts'

const all = ['companies'] as const

export const companyQueries = {
  /** All companies, by name. */
  options: () =>
    queryOptions({
      queryKey: [...all, 'options'],
      queryFn: async ({ signal }) => {
        const reply = await call(listCompanies, { signal })
        return Array.isArray(reply) ? reply : reply.companies
      },
    }),

  /** A page of the screen, by name. The page before stays until the next one has come. */
  page: ({ page, limit, search }: PageFilter) =>
    queryOptions({
      queryKey: [...all, 'page', page, limit, search],
      queryFn: async ({ signal }) => {
        const query = { page: String(page), limit: String(limit), ...(search && { search }) }
        const reply = await call(listCompanies, { query, signal })
        if (Array.isArray(reply)) throw new Error('not a page of companies')
        return reply
      },
      placeholderData: keepPreviousData,
    }),
}

type NewCompany = z.input<NonNullable<typeof createCompany.body>>

const refetchAll = (client: QueryClient) => client.invalidateQueries({ queryKey: all })

/** Creates a company, or changes the one with the id. */
export function useSaveCompany(id: number | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: NewCompany | CompanyChange) =>
      id === undefined
        ? call(createCompany, { body: values as NewCompany })
        : call(updateCompany, { params: { id }, body: values }),
    // Also after a refusal: a colleague may have changed the company.
    onSettled: () => refetchAll(client),
  })
}

export function useDeleteCompany() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteCompany, { params: { id } }),
    onSettled: () => refetchAll(client),
  })
}

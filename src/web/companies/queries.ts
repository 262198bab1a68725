import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  type Company,
  type CompanyChange,
  createCompany,
  deleteCompany,
  keepCompaniesApart,
  listCompanies,
  listDuplicateCompanies,
  mergeCompany,
  updateCompany,
} from '#shared/contacts/companies.ts'
import { call } from '#web/platform/api/api.ts'
import type { PageFilter } from '#web/platform/browser/use-page-filter.ts'
import { toast } from '#web/ui/states/toast.ts'

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

  /** Pairs with the same phone number. */
  duplicates: () =>
    queryOptions({
      queryKey: [...all, 'duplicates'],
      queryFn: ({ signal }) => call(listDuplicateCompanies, { signal }),
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

export function useMergeCompanies() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ keptId, otherId }: { keptId: number; otherId: number }) =>
      call(mergeCompany, { params: { id: keptId }, body: { otherId } }),
    onSettled: () => refetchAll(client),
  })
}

export function useKeepCompaniesApart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ([one, other]: readonly [Company, Company]) =>
      call(keepCompaniesApart, { params: { id: one.id }, body: { otherId: other.id } }),
    onError: ({ message }) => toast({ tone: 'error', title: `Falha ao separar empresas: ${message}` }),
    onSettled: () => client.invalidateQueries({ queryKey: companyQueries.duplicates().queryKey }),
  })
}

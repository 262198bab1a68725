import { queryOptions } from '@tanstack/react-query'
import { listCompanies } from '#shared/companies.ts'
import { call } from '#web/platform/api/api.ts'

export const companyQueries = {
  /** All companies, by name. */
  options: () =>
    queryOptions({
      queryKey: ['companies', 'options'],
      queryFn: async ({ signal }) => {
        const reply = await call(listCompanies, { signal })
        return Array.isArray(reply) ? reply : reply.companies
      },
    }),
}

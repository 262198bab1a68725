import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Flags } from '#shared/permissions.ts'
import type { Me } from '#shared/users/users.ts'
import { MeContext } from './me-context.ts'

/** What a component of a test stands in: the fetched data, and person 7, who may do only what is given. */
export function inApp(
  client: QueryClient,
  me: Partial<Omit<Me, 'permissions'>> & { permissions?: Partial<Flags> } = {},
): (props: { children: ReactNode }) => ReactNode {
  const given = {
    id: 7,
    permissions: {},
    hasTags: false,
    hasViews: false,
    hasMacros: false,
    sectors: [],
    ...me,
  }
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <MeContext value={given as unknown as Me}>{children}</MeContext>
    </QueryClientProvider>
  )
}

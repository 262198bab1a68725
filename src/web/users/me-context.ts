import { createContext, use } from 'react'
import type { Flag } from '#shared/permissions.ts'
import type { Me } from '#shared/users.ts'

export const MeContext = createContext<Me | undefined>(undefined)

/** The signed-in user; only below the `SessionProvider`. */
export function useMe(): Me {
  const me = use(MeContext)
  if (!me) throw new Error('useMe stands outside the SessionProvider')
  return me
}

/** Whether the signed-in user currently has this permission. */
export function useCan(flag: Flag): boolean {
  return useMe().permissions[flag]
}

import { createContext, use } from 'react'
import { type Act, may } from '#shared/acts.ts'
import type { Me } from '#shared/users/users.ts'

export const MeContext = createContext<Me | undefined>(undefined)

/** The signed-in user; only below the `SessionProvider`. */
export function useMe(): Me {
  const me = use(MeContext)
  if (!me) throw new Error('useMe stands outside the SessionProvider')
  return me
}

/** Whether the signed-in user currently may do this. */
export function useCan(act: Act): boolean {
  return may(useMe(), act)
}

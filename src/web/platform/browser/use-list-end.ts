import { useState } from 'react'

/**
 * The moment of the first page of a list, which its other pages are asked with: what comes later would shift
 * them.
 * @param asked what the list is of, with its page
 */
export function useListEnd(asked: { page: number }) {
  const { page } = asked
  const key = JSON.stringify({ ...asked, page: 0 })
  const [end, setEnd] = useState<{ key: string; asOf: string }>()
  const known = end?.key === key ? end.asOf : undefined
  return {
    value: page === 1 ? undefined : known,
    /** Called with what came, while rendering. */
    note(came: { page: number; asOf: string } | undefined) {
      // The first page is read anew each time, another one with the moment that it began with.
      if (!came || came.page !== page) return
      if (page === 1 ? known !== came.asOf : known === undefined) setEnd({ key, asOf: came.asOf })
    },
  }
}

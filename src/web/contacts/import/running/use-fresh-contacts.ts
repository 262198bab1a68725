import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { contactQueries } from '#web/contacts/queries.ts'

/** The lists of contacts and companies are others once a run has ended. */
export function useFreshContacts(isWorking: boolean | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isWorking !== true) return undefined
    return () => {
      void client.invalidateQueries({ queryKey: contactQueries.all })
      void client.invalidateQueries({ queryKey: ['companies'] })
    }
  }, [client, isWorking])
}

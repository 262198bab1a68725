import type { QueryClient } from '@tanstack/react-query'
import type { PauseNow } from '#shared/users/users.ts'
import { setPresence } from '#shared/workday/pauses.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { toast } from '#web/ui/states/toast.ts'
import { userQueries } from '#web/users/queries.ts'
import { pauseClockAt } from './pause-clock.ts'

const askedKey = 'pause-asked'

/** Asks once in a pause, in whichever tab is seen, whether somebody who works again is back. */
export function askToReturn(client: QueryClient, pause: PauseNow): void {
  if (document.visibilityState !== 'visible' || localStorage.getItem(askedKey) === pause.since) return
  localStorage.setItem(askedKey, pause.since)
  const { minutes } = pauseClockAt(pause, serverNow())
  toast({
    tone: 'info',
    title: 'Voltar a Disponível?',
    description: `Você está em ${pause.name} há ${minutes} min. Pergunto só uma vez por pausa.`,
    action: { label: 'Voltar', onClick: () => void goBack(client) },
  })
}

async function goBack(client: QueryClient): Promise<void> {
  try {
    const { user } = await call(setPresence, { body: { state: 'available' } })
    client.setQueryData(userQueries.me().queryKey, user)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    toast({ tone: 'error', title: 'Erro ao voltar', ...(message && { description: message }) })
  }
}

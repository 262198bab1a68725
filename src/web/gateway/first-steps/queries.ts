import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type FirstStep,
  type FirstSteps,
  getFirstSteps,
  type SkippableStep,
  skipFirstStep,
} from '#shared/gateway/gateway-link.ts'
import { call } from '#web/platform/api/api.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'
import { gatewayKeys } from '#web/gateway/pushed.ts'

/** null when they are over, or this is a demonstration. */
export const firstStepsQuery = () =>
  queryOptions({
    queryKey: [...gatewayKeys.status, 'first-steps'],
    queryFn: ({ signal }) => call(getFirstSteps, { signal }),
    // The gateway's state is pushed; who has written, or was invited, is asked for.
    refetchInterval: ({ state: { data } }) => {
      if (data === null) return false
      return data?.number.isDone && !data.message.isDone ? 2000 : 10_000
    },
  })

export function useSkipStep() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (step: SkippableStep) => call(skipFirstStep, { body: { step } }),
    onSuccess: (steps) => client.setQueryData(firstStepsQuery().queryKey, steps),
  })
}

/** Whether somebody has left them for later in this browser: then the dashboard no longer leads there. */
export const leftForLater = storedChoice('primeiros-passos-depois', (stored) => stored === 'true')

export const stepOrder = [
  'gateway',
  'number',
  'message',
  'team',
  'hours',
] as const satisfies readonly FirstStep[]

export const stepTitles: Record<FirstStep, string> = {
  gateway: 'Gateway e chave',
  number: 'Conectar o número',
  message: 'Receber a primeira mensagem',
  team: 'Convidar a equipe',
  hours: 'Horário e mensagens',
}

const isBehind = ({ isDone, isSkipped }: { isDone: boolean; isSkipped: boolean }) => isDone || isSkipped

export const doneCount = (steps: FirstSteps) => stepOrder.filter((step) => isBehind(steps[step])).length

/** The first one that is neither done nor skipped. */
export const nextStep = (steps: FirstSteps): FirstStep | undefined =>
  stepOrder.find((step) => !isBehind(steps[step]))

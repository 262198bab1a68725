import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { By, Encoding, FaultName, FaultsPatch, PhoneMessage } from '#simulator/control-api.ts'
import type { SimulatorState } from '#simulator/control-views.ts'
import { toast } from '#web/ui/states/toast.ts'
import { simulatorApi } from './api.ts'
import { applyEvent, simulatorQueries } from './queries.ts'

function showFailure(title: string) {
  return (error: Error) => toast({ title, description: error.message, tone: 'error' })
}

/** A message id as a phone makes it. Sending the same one again adds nothing. */
export function newMessageId(): string {
  return `3A${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
}

/** Sends messages one at a time, in order, from the client's phone or the company's own. */
export function useSendMessage(phoneId: string, by: By) {
  const client = useQueryClient()
  const send = useMutation({
    mutationKey: ['send', phoneId],
    scope: { id: `phone ${phoneId}` },
    mutationFn: (message: PhoneMessage) => simulatorApi.send(phoneId, message, by),
    onSuccess: (message) => {
      const chat = client.getQueryData(simulatorQueries.chat(phoneId).queryKey)
      // The stream is usually faster and may already have a newer version.
      if (!chat?.some(({ id }) => id === message.id)) applyEvent(client, { type: 'message', message })
    },
    onError: (error, message) =>
      toast({
        title: 'A mensagem não foi enviada',
        description: error.message,
        tone: 'error',
        action: { label: 'Tentar novamente', onClick: () => send.mutate(message) },
      }),
  })
  return { send: (message: PhoneMessage) => send.mutate({ id: newMessageId(), ...message }) }
}

/** Any other request; its effects arrive by the stream. */
export function useAction() {
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: showFailure('Não foi possível concluir a ação'),
  })
  return { run: mutate, isRunning: isPending }
}

/** Optimistic update, reverted when the simulator refuses. */
export function useSetFault() {
  const client = useQueryClient()
  const { queryKey } = simulatorQueries.state()
  return useMutation({
    mutationFn: ({ name, values }: { name: FaultName; values: object }) =>
      simulatorApi.setFaults({ [name]: values } as FaultsPatch),
    onMutate: ({ name, values }) => {
      client.setQueryData<SimulatorState>(queryKey, (state) =>
        state
          ? { ...state, faults: { ...state.faults, [name]: { ...state.faults[name], ...values } } }
          : state,
      )
    },
    onSuccess: (faults) => applyEvent(client, { type: 'faults', faults }),
    onError: (error) => {
      showFailure('A falha não foi alterada')(error)
      void client.invalidateQueries({ queryKey })
    },
  })
}

/** Changes the gateway's release; the stream does not report it. */
export function useSetVersion() {
  const client = useQueryClient()
  const { queryKey } = simulatorQueries.state()
  return useMutation({
    mutationFn: (version: Encoding) => simulatorApi.setVersion(version),
    onSuccess: ({ version }) =>
      client.setQueryData<SimulatorState>(queryKey, (state) => state && { ...state, version }),
    onError: showFailure('A versão não foi alterada'),
  })
}

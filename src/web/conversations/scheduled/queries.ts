import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelScheduled,
  changeScheduled,
  listOfConversation,
  listScheduled,
  plannedTime,
  scheduleMessage,
  type ScheduledMessage,
  sendScheduled,
} from '#shared/scheduled/scheduled.ts'
import type { ScheduledState } from '#shared/scheduled/states.ts'
import type { SectorAsked } from '#shared/sectors/sector-asked.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { toast } from '#web/ui/states/toast.ts'
import { refetchScheduled, scheduledKey } from './live.ts'
import { atTime } from '#web/conversations/scheduled/times/times.ts'

export interface Asked {
  state: ScheduledState
  of: 'mine' | 'all'
  sectorId: SectorAsked | undefined
  page: number
}

export const scheduledQueries = {
  list: ({ sectorId, ...asked }: Asked) =>
    queryOptions({
      queryKey: [...scheduledKey, 'list', { ...asked, sectorId }],
      queryFn: ({ signal }) =>
        call(listScheduled, {
          query: { ...asked, ...(sectorId !== undefined && { sectorId }) },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),

  ofConversation: (id: number) =>
    queryOptions({
      queryKey: [...scheduledKey, 'conversation', id],
      queryFn: ({ signal }) => call(listOfConversation, { params: { id }, signal }),
    }),

  /** When a message to the client of a conversation would be sent. */
  time: (id: number, at: string, onlyOpen: boolean) =>
    queryOptions({
      queryKey: [...scheduledKey, 'time', id, at, onlyOpen],
      queryFn: ({ signal }) =>
        call(plannedTime, { params: { id }, query: { at, onlyOpen: `${onlyOpen}` }, signal }),
      retry: false,
    }),
}

/** When, and on which conditions. */
export interface Chosen {
  /** An instant. */
  sendAt: string
  cancelOnAnswer: boolean
  onlyOpen: boolean
}

/** Schedules a text; what is repeated with one `clientMessageId` is stored once. */
export function useSchedule(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Chosen & { content: string; clientMessageId: string }) =>
      call(scheduleMessage, { params: { id: conversationId }, body }),
    onSuccess: ({ sendAt }) => {
      toast({ title: 'Mensagem agendada', description: `Sai ${atTime(sendAt, serverNow())}.` })
      refetchScheduled(undefined, client)
    },
    onError: (error) => toastRefusal('Erro ao agendar', error),
  })
}

type Known = Pick<ScheduledMessage, 'id' | 'version'>

/** Changes, cancels and sends a scheduled message. */
export function useScheduledActs() {
  const client = useQueryClient()
  const onSettled = () => refetchScheduled(undefined, client)
  const change = useMutation({
    mutationFn: ({ id, version, ...body }: Known & Chosen & { content: string }) =>
      call(changeScheduled, { params: { id }, body: { version, ...body } }),
    onSuccess: ({ sendAt }) =>
      toast({ title: 'Mensagem agendada', description: `Sai ${atTime(sendAt, serverNow())}.` }),
    onError: (error) => toastRefusal('Erro ao mudar a mensagem agendada', error),
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: ({ id }: Known) => call(cancelScheduled, { params: { id } }),
    onSuccess: () => toast({ title: 'Mensagem agendada cancelada' }),
    onError: (error) => toastRefusal('Erro ao cancelar a mensagem agendada', error),
    onSettled,
  })
  const send = useMutation({
    mutationFn: ({ id, version }: Known) => call(sendScheduled, { params: { id }, body: { version } }),
    onSuccess: () => toast({ title: 'Mensagem enviada' }),
    onError: (error) => toastRefusal('Erro ao enviar a mensagem agendada', error),
    onSettled,
  })
  return { change, cancel, send }
}

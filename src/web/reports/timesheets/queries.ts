import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  correctWorkPeriod,
  listTimesheets,
  listWorkedConversations,
  listWorkPeriods,
  type WorkCorrection,
  type WorkedFigure,
} from '#shared/workday/timesheets.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'

export const timesheetKeys = { all: ['timesheets'] } as const
const { all } = timesheetKeys

export interface TimesheetFilter {
  startDate: string
  endDate: string
  userId?: number
  sectorId?: number
}

export const timesheetsQuery = (filter: TimesheetFilter) =>
  queryOptions({
    queryKey: [...all, filter],
    queryFn: ({ signal }) => call(listTimesheets, { query: filter, signal }),
    placeholderData: keepPreviousData,
    // A day that goes on.
    refetchInterval: 60_000,
  })

export const periodsQuery = (userId: number, day: string) =>
  queryOptions({
    queryKey: [...all, 'periods', userId, day],
    queryFn: async ({ signal }) =>
      (await call(listWorkPeriods, { query: { userId, startDate: day, endDate: day }, signal })).periods,
    refetchInterval: 60_000,
  })

export const workedQuery = (userId: number, day: string, figure: WorkedFigure) =>
  queryOptions({
    queryKey: [...all, 'worked', userId, day, figure],
    queryFn: ({ signal }) => call(listWorkedConversations, { query: { userId, day, figure }, signal }),
  })

/** The outcome is told here: what is corrected may no longer be among the rows that are shown. */
export function useCorrect(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: WorkCorrection) => call(correctWorkPeriod, { params: { id }, body: form }),
    onSuccess: () => toast({ tone: 'success', title: 'Jornada corrigida' }),
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Falha ao corrigir', ...(message && { description: message }) }),
    onSettled: () => client.invalidateQueries({ queryKey: all }),
  })
}

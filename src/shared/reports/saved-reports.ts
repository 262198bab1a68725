import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { dayParam, id, idParam } from '#shared/users/users.ts'
import { figures } from './figures.ts'
import { periods } from './periods.ts'

/**
 * What is kept of a report. Its days only for a chosen period: 'week' is the current one whenever the report
 * is opened.
 */
export const savedFilter = z.object({
  period: z.enum(periods),
  startDate: z.optional(dayParam),
  endDate: z.optional(dayParam),
  operatorId: z.optional(id),
  instanceId: z.optional(id),
  sectorId: z.optional(id),
  category: z.optional(z.string().check(z.maxLength(100))),
  companyId: z.optional(id),
  tag: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  figure: z.optional(z.enum(figures)),
})
export type SavedFilter = z.infer<typeof savedFilter>

/** A person keeps so many. */
export const mostSavedReports = 20

export const savedReport = z.object({ id, name: z.string(), filter: savedFilter })
export type SavedReport = z.infer<typeof savedReport>

export const listSavedReports = endpoint({
  method: 'GET',
  path: '/api/reports/saved',
  summary: 'Os próprios relatórios salvos, por nome',
  act: 'viewReports',
  audit: ownState,
  reply: z.array(savedReport),
})

export const saveReport = endpoint({
  method: 'POST',
  path: '/api/reports/saved',
  summary: 'Salva os filtros de um relatório com um nome; o mesmo nome os substitui',
  act: 'viewReports',
  audit: ownState,
  body: z.object({
    name: z.string().check(
      z.trim(),
      z.minLength(1, 'Nome é obrigatório'),
      z.maxLength(60),
      z.refine((name) => name.isWellFormed() && !name.includes('\0'), 'Nome inválido'),
    ),
    filter: savedFilter,
  }),
  status: 201,
  reply: savedReport,
})

export const deleteSavedReport = endpoint({
  method: 'DELETE',
  path: '/api/reports/saved/:id',
  summary: 'Apaga um dos próprios relatórios salvos',
  act: 'viewReports',
  audit: ownState,
  ids: { id: 'saved report' },
  params: z.object({ id: idParam }),
})

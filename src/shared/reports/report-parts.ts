import * as z from 'zod/mini'
import { clientName } from '#shared/contacts/client-phone.ts'
import { reading } from '#shared/audit/unaudited.ts'
import { conversationStatuses, waitingFors } from '#shared/conversations/conversations.ts'
import { endpoint } from '#shared/endpoint.ts'
import { dayParam, id, instant, pageParam } from '#shared/users/users.ts'
import { enders, figures, groupings } from './figures.ts'
import { days, isPeriod, measures, reportFilter, reportFilterFields, times } from './reports.ts'

// What a report lists beside its figures: the conversations behind them, operators, groups, and its file.

/** @see specification §9 */
export const reportPageSizes = [10, 20, 30, 50, 100] as const

/** Of the conversations of the period: those behind a figure. */
export const rowsFilterFields = {
  figure: z.optional(z.enum(figures)),
  /** Days within the period. */
  from: z.optional(dayParam),
  to: z.optional(dayParam),
  /** When the conversation began, in local time: 0 is Sunday. */
  weekday: z.optional(z.enum(['0', '1', '2', '3', '4', '5', '6'])),
  hour: z.optional(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,2}$/)), z.transform(Number)),
      z.int().check(z.minimum(0), z.maximum(23)),
    ),
  ),
  stars: z.optional(z.enum(['1', '2', '3', '4', '5'])),
  /** A group: what it is grouped by, and the group's key. */
  by: z.optional(z.enum(groupings)),
  key: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
}

export const rowOrders = ['open', 'clock', 'recent', 'oldest', 'stars'] as const
export type RowOrder = (typeof rowOrders)[number]

const rowsFilter = z.object({ ...days, ...reportFilterFields, ...rowsFilterFields }).check(isPeriod)
export type RowsFilter = z.infer<typeof rowsFilter>

/** A conversation of a report. Times are in milliseconds. */
export const reportRow = z.object({
  id,
  protocol: z.string(),
  contactId: id,
  contactName: clientName,
  avatarUrl: z.nullable(z.string()),
  category: z.string(),
  categoryColor: z.nullable(z.string()),
  companyName: z.nullable(clientName),
  assignedUserId: z.nullable(id),
  operatorName: z.nullable(z.string()),
  sectorName: z.nullable(z.string()),
  /** Why it ended, if a person has said so. */
  reasonName: z.nullable(z.string()),
  /** The tags of the conversation, by name. */
  tagNames: z.array(z.string()),
  status: z.enum(conversationStatuses),
  waitingFor: z.enum(waitingFors),
  isQueued: z.boolean(),
  startedAt: instant,
  completedAt: z.nullable(instant),
  endedBy: z.nullable(z.enum(enders)),
  messageCount: z.int(),
  contactMessageCount: z.int(),
  firstReplyMs: z.nullable(z.number()),
  openFirstReplyMs: z.nullable(z.number()),
  queueMs: z.nullable(z.number()),
  openQueueMs: z.nullable(z.number()),
  handlingMs: z.nullable(z.number()),
  openHandlingMs: z.nullable(z.number()),
  satisfaction: z.nullable(z.int()),
  feedback: z.nullable(z.string()),
})
export type ReportRow = z.infer<typeof reportRow>

export const listReportConversations = endpoint({
  method: 'GET',
  path: '/api/reports/conversations',
  summary: 'As conversas do período, ou as que formam um dos números',
  act: 'viewReportRows',
  audit: 'report.rows',
  query: z
    .object({
      ...days,
      ...reportFilterFields,
      ...rowsFilterFields,
      page: z.optional(pageParam),
      limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
      order: z.optional(z.enum(rowOrders)),
      /** What began later is on no page, so that pages do not shift. */
      asOf: z.optional(instant),
    })
    .check(isPeriod),
  reply: z.object({
    conversations: z.array(reportRow),
    asOf: instant,
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
  }),
})
export type ReportPage = z.infer<NonNullable<typeof listReportConversations.reply>>

const operatorFigures = {
  total: z.int(),
  /** Open and assigned. */
  active: z.int(),
  completed: z.int(),
  /** Of the active ones, those that wait for their operator. */
  waiting: z.int(),
  firstReply: times,
  handling: times,
  rated: measures.rated,
}

export const listOperatorPerformance = endpoint({
  method: 'GET',
  path: '/api/reports/operator-performance',
  summary: 'O período por operador: só pessoas com o papel operador; as demais conversas em `others`',
  act: 'viewReports',
  audit: reading,
  query: reportFilter,
  reply: z.object({
    operators: z.array(
      z.object({
        id,
        name: z.string(),
        pictureUrl: z.nullable(z.string()),
        isActive: z.boolean(),
        ...operatorFigures,
      }),
    ),
    others: z.object(operatorFigures),
  }),
})
export type OperatorPerformance = z.infer<NonNullable<typeof listOperatorPerformance.reply>>

export const reportGroup = z.object({
  /** What the rows behind it are asked with. */
  key: z.string(),
  /** The name of the person, category, company or tag; null for those without one. */
  name: z.nullable(clientName),
  ...measures,
})
export type ReportGroup = z.infer<typeof reportGroup>

/** Groups beyond these are not listed one by one. */
export const mostGroups = 200

export const listReportGroups = endpoint({
  method: 'GET',
  path: '/api/reports/groups',
  summary:
    'Os números do período por operador, categoria, empresa, etiqueta (do contato ou da conversa), ' +
    'setor ou motivo, o maior primeiro',
  act: 'viewReports',
  audit: reading,
  query: z.object({ ...days, ...reportFilterFields, by: z.enum(groupings) }).check(isPeriod),
  reply: z.object({ groups: z.array(reportGroup), hasMore: z.boolean() }),
})
export type ReportGroups = z.infer<NonNullable<typeof listReportGroups.reply>>

/** What a file of a report has: the rows behind a figure, the operators' table, or groups. */
export const exportedParts = ['rows', 'operators', ...groupings] as const
export type ExportedPart = (typeof exportedParts)[number]

export const exportReport = endpoint({
  method: 'GET',
  path: '/api/reports/export',
  summary: 'O que o relatório mostra como CSV ou XLSX',
  rows: {
    'GET /api/reports/export': { act: 'viewReports', audit: 'report.export' },
    'GET /api/reports/export (rows)': { act: 'viewReportRows', audit: 'report.export' },
  },
  query: z
    .object({
      ...days,
      ...reportFilterFields,
      ...rowsFilterFields,
      order: z.optional(z.enum(rowOrders)),
      part: z.enum(exportedParts),
      format: z.enum(['csv', 'xlsx']),
    })
    .check(isPeriod),
  sendsFile: true,
})

import { needs, supervisors, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  viewStatistics: needs('canViewStatistics'),
  viewReports: supervisorsWith('canViewStatistics'),
  /** The conversations behind a figure, with names and protocols. */
  viewReportRows: supervisorsWith('canViewStatistics', 'canViewConversations'),
}

export const screens = {
  '/reports': { title: 'Relatórios', place: 140, inMenuOf: supervisors, opensWith: 'viewReports' },
} as const

export type Subject = 'saved report'

export type Action = 'report.export' | 'report.rows'

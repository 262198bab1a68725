import { adminsWith, supervisorsWith } from '#shared/rights.ts'

export const acts = {
  managePauses: adminsWith(),
  /** The working days of others: supervisors those of all, leads those of their sectors. */
  viewTimesheets: { ...supervisorsWith('canViewStatistics'), orLead: true },
  correctTimesheets: supervisorsWith('canViewStatistics'),
} as const

export const screens = {
  // Everybody sees their own; the reports lead to it.
  '/jornada': { title: 'Jornada', place: 145, inMenuOf: [] },
} as const

export type Subject = 'pause reason' | 'work period'

export type Action =
  | 'pause.create'
  | 'pause.change'
  | 'pause.order'
  | 'pause.delete'
  | 'timesheet.correct'
  | 'timesheet.export'

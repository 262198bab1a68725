import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { clientName } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { dayCount } from '#shared/reports/periods.ts'
import { days } from '#shared/reports/reports.ts'
import { showsNothing } from '#shared/text/shows-nothing.ts'
import { dayParam, id, idParam, instant, pauseIcons } from '#shared/users/users.ts'
import { workStates } from './work-states.ts'

/** The longest period. */
export const longestTimesheetDays = 92

const isPeriod = z.refine<{ startDate: string; endDate: string }>(
  (period) => period.startDate <= period.endDate && dayCount(period) <= longestTimesheetDays,
  {
    error: ({ input }) =>
      input && (input as { startDate: string }).startDate > (input as { endDate: string }).endDate
        ? 'A data final é anterior à data inicial'
        : `No máximo ${longestTimesheetDays} dias`,
    path: ['endDate'],
  },
)

/** What a piece of a day was. 'over': of a pause, what is beyond its limit. */
export const pieceKinds = ['available', 'counted', 'paused', 'over', 'away'] as const
export type PieceKind = (typeof pieceKinds)[number]

/** The working day of a person, in seconds. What has a sum adds up to `logged`. */
export const timesheet = z.object({
  userId: id,
  /** 'YYYY-MM-DD', in the time zone of the settings. */
  day: z.string(),
  firstAt: instant,
  /** The end of the last period; of one that goes on, now. */
  lastAt: instant,
  /** Whether the person is still there. */
  isOpen: z.boolean(),
  logged: z.int(),
  available: z.int(),
  /** In pauses, without those that count as work. */
  paused: z.int(),
  /** In pauses that count as work. */
  counted: z.int(),
  away: z.int(),
  /** How many pauses began, without those that count as work. */
  pauses: z.int(),
  /** How many pauses went beyond their limit, and for how long. */
  over: z.int(),
  overSeconds: z.int(),
  /** Conversations that they took, answered and finished. */
  taken: z.int(),
  answered: z.int(),
  finished: z.int(),
  pieces: z.array(z.object({ from: instant, to: instant, kind: z.enum(pieceKinds) })),
})
export type Timesheet = z.infer<typeof timesheet>

export const timesheets = z.object({
  timezone: z.string(),
  /** Whether the person sees others, too. */
  isTeam: z.boolean(),
  people: z.array(z.object({ userId: id, name: z.string(), pictureUrl: z.nullable(z.string()) })),
  /** By name and day; a day on which somebody was not there has none. */
  sheets: z.array(timesheet),
})
export type Timesheets = z.infer<typeof timesheets>

/** Everybody sees their own; others are seen by supervisors, and by the leads of their sectors. */
const rows = {
  'GET /api/timesheets (own)': { needs: [], audit: reading },
  'GET /api/timesheets (team)': { act: 'viewTimesheets', audit: listing },
} as const

export const listTimesheets = endpoint({
  method: 'GET',
  path: '/api/timesheets',
  summary: 'As jornadas do período, por pessoa e dia',
  rows,
  query: z
    .object({
      ...days,
      /** Only of one person; without it of everybody whom the caller may see. */
      userId: z.optional(idParam),
      /** Only of the people of a sector. */
      sectorId: z.optional(idParam),
    })
    .check(isPeriod),
  reply: timesheets,
})

/** A period, cut at midnight. */
export const workPeriod = z.object({
  id,
  day: z.string(),
  from: instant,
  to: instant,
  isOpen: z.boolean(),
  state: z.enum(workStates),
  /** Of a pause. */
  reason: z.nullable(z.object({ name: z.string(), icon: z.enum(pauseIcons) })),
  limitMinutes: z.nullable(z.int()),
  countsAsWork: z.boolean(),
  /** How much of it is beyond the limit of its pause, in seconds. */
  overSeconds: z.int(),
  /** 'Chrome · Windows'; '' if unknown. */
  device: z.string(),
  /** How often the connection was lost, and back before it counted. */
  losses: z.int(),
  /** Where somebody has corrected it: what it was before, and who, when and why. */
  correction: z.nullable(
    z.object({
      state: z.enum(workStates),
      reasonName: z.nullable(z.string()),
      by: z.string(),
      at: instant,
      why: z.string(),
    }),
  ),
})
export type WorkPeriod = z.infer<typeof workPeriod>

export const listWorkPeriods = endpoint({
  method: 'GET',
  path: '/api/timesheets/periods',
  summary: 'O registro de uma pessoa: cada estado, de quando a quando',
  rows: {
    'GET /api/timesheets/periods (own)': { needs: [], audit: reading },
    'GET /api/timesheets/periods (team)': { act: 'viewTimesheets', audit: listing },
  },
  query: z.object({ ...days, userId: idParam }).check(isPeriod),
  reply: z.object({ periods: z.array(workPeriod) }),
})

export const workedFigures = ['taken', 'answered', 'finished'] as const
export type WorkedFigure = (typeof workedFigures)[number]

/** The most conversations that a list has. */
export const mostWorked = 500

export const listWorkedConversations = endpoint({
  method: 'GET',
  path: '/api/timesheets/conversations',
  summary: 'As conversas que uma pessoa assumiu, respondeu ou finalizou num dia',
  rows: {
    'GET /api/timesheets/conversations (own)': { needs: ['canViewConversations'], audit: reading },
    'GET /api/timesheets/conversations (team)': { act: 'viewTimesheets', audit: listing },
  },
  query: z.object({ day: dayParam, userId: idParam, figure: z.enum(workedFigures) }),
  reply: z.object({
    conversations: z.array(
      z.object({ id, protocol: z.string(), contactName: clientName, isOpen: z.boolean(), at: instant }),
    ),
    /** How many there are, also beyond what the reader may see. */
    total: z.int(),
  }),
})
export type WorkedConversations = z.infer<NonNullable<(typeof listWorkedConversations)['reply']>>

const why = z.string().check(
  z.trim(),
  z.refine((text) => !showsNothing(text), 'Diga por quê'),
  z.maxLength(200),
)

export const correctWorkPeriod = endpoint({
  method: 'POST',
  path: '/api/timesheets/periods/:id/corrections',
  summary: 'Corrigir o estado de um registro: uma linha nova, o original fica',
  act: 'correctTimesheets',
  audit: 'timesheet.correct',
  ids: { id: 'work period' },
  params: z.object({ id: idParam }),
  body: z.discriminatedUnion('state', [
    z.object({ state: z.literal('available'), why }),
    z.object({ state: z.literal('away'), why }),
    z.object({ state: z.literal('paused'), reasonId: id, why }),
  ]),
  status: 201,
  reply: z.object({ id }),
})
export type WorkCorrection = z.output<NonNullable<(typeof correctWorkPeriod)['body']>>

export const exportTimesheets = endpoint({
  method: 'GET',
  path: '/api/timesheets/export',
  summary: 'Baixar as jornadas do período em CSV ou XLSX',
  act: 'viewTimesheets',
  audit: 'timesheet.export',
  query: z
    .object({
      ...days,
      userId: z.optional(idParam),
      sectorId: z.optional(idParam),
      format: z.enum(['csv', 'xlsx']),
    })
    .check(isPeriod),
  sendsFile: true,
})

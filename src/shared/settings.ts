import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const text = z.string().max(4096)

/** Everything that an administrator sets, with the columns of specification §3 and the additions of decisions. */
export const systemSettings = z.object({
  workingHours: z.object({
    start: clockTime,
    end: clockTime,
    /** 0 is Sunday. */
    days: z.array(z.number().int().min(0).max(6)),
  }),
  lunchBreak: z.object({ enabled: z.boolean(), start: clockTime, end: clockTime }),
  whatsappNumber: z.string().max(30),
  autoReplyMessage: text,
  isAutoReplyEnabled: z.boolean(),
  /** IANA name. */
  timezone: z.string().max(64),
  quickResponses: z.array(z.object({ shortcut: z.string().max(64), text })),
  transferMessage: text,
  finalizationMessage: text,
  inactivityMessage: text,
  greetingMessage: text,
  verificationMessage: text,
  farewellMessage: text,
  lgpdMessage: text,
  enableSoundNotifications: z.boolean(),
  enableViewTrackingForAll: z.boolean(),
  queueMessage: text,
  queueWelcomeMessage: text,
  queuePositionUpdateMessage: text,
  warningMessage: text,
  operatorInitiatedWarningMessage: text,
  blockedFileMessage: text,
  preAttendanceEnabled: z.boolean(),
  preAttendanceMessage: text,
  preAttendanceCancelMessage: text,
  preAttendanceInvalidMessage: text,
  ratingsEnabled: z.boolean(),
  ratingMessage: text,
  phoneAnswersCount: z.boolean(),
  maxActivePerOperator: z.number().int().min(1).max(1000),
})
export type SystemSettings = z.infer<typeof systemSettings>

/** What everyone needs to work: quick replies, sound, time zone, hours. The rest needs canViewSettings. */
export const publicSettingKeys = [
  'workingHours',
  'lunchBreak',
  'timezone',
  'quickResponses',
  'greetingMessage',
  'verificationMessage',
  'farewellMessage',
  'lgpdMessage',
  'enableSoundNotifications',
] as const satisfies readonly (keyof SystemSettings)[]

export const getSystemSettings = endpoint({
  method: 'GET',
  path: '/api/system-settings',
  summary: 'Configurações do sistema; sem canViewSettings, só o que todos precisam',
  rows: ['GET /api/system-settings (projection)', 'GET /api/system-settings (full)'],
  reply: systemSettings.partial(),
})

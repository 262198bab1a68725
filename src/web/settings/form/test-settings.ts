import { type SystemSettings, systemSettings } from '#shared/settings/settings.ts'

const texts = Object.fromEntries(
  Object.keys(systemSettings.shape).map((key) => [key, key.endsWith('Message') ? `Texto ${key}` : false]),
)

/** Settings of an installation, for tests: every text, and every switch off. */
export const testSettings = {
  ...texts,
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
  quickResponses: [],
  companyName: '',
  whatsappNumber: '',
  undoSendSeconds: 0,
  undoFinalizeSeconds: 5,
  maxActivePerOperator: 5,
  pauseReturnMinutes: 0,
  preAttendanceMostInvalid: 3,
  inactivityWarningMinutes: 0,
  inactivityAppliesTo: 'client',
  askReason: 'optional',
  askTag: 'no',
  newDayPresence: 'available',
  silentHours: {
    mode: 'off',
    start: '22:00',
    end: '07:00',
    days: [1, 2, 3, 4, 5],
    daysOff: [],
    mentions: false,
  },
} as unknown as SystemSettings

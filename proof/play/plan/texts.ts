import type { AutomaticText } from '#server/conversations/store/texts.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import type { DayPlan } from './plan.ts'

/** The automatic texts that can occur. No operator writes to a client first. */
export const dayTexts = [
  'autoReplyMessage',
  'preAttendanceMessage',
  'preAttendanceInvalidMessage',
  'preAttendanceCancelMessage',
  'queueWelcomeMessage',
  'queueMessage',
  'queuePositionUpdateMessage',
  'blockedFileMessage',
  'warningMessage',
  'transferMessage',
  'inactivityWarningMessage',
  'inactivityMessage',
  'finalizationMessage',
  'ratingMessage',
] as const satisfies readonly AutomaticText[]
export type DayText = (typeof dayTexts)[number]

const withPlace: readonly DayText[] = ['queueMessage', 'queuePositionUpdateMessage']

/** Each text contains its setting and conversation, so that phones can identify it. */
const templateOf = (key: DayText) => `[${key}] {{protocol}}${withPlace.includes(key) ? ' {{position}}' : ''}`

/** The settings of the day, with the default hours and lunch break. */
export function settingsOf({ isDistributed, capacity, warningMinutes }: DayPlan): Partial<SystemSettings> {
  return {
    ...Object.fromEntries(dayTexts.map((key) => [key, templateOf(key)])),
    operatorInitiatedWarningMessage: '',
    preAttendanceEnabled: true,
    isAutoReplyEnabled: true,
    ratingsEnabled: true,
    maxActivePerOperator: capacity,
    autoDistributionEnabled: isDistributed,
    inactivityWarningMinutes: warningMinutes,
  }
}

/** The setting and conversation that a received text contains. */
export interface ReadText {
  /** 'reply' for a text of a person. */
  key: DayText | 'reply'
  /** The conversation's protocol; '' for a text of a person. */
  protocol: string
  position: number | null
}

export function readText(text: string): ReadText {
  const [, key, protocol = '', position] = /^\[(\w+)\] (\d{14})(?: (\d+))?$/.exec(text) ?? []
  const known = dayTexts.find((one) => one === key)
  if (!known) return { key: 'reply', protocol: '', position: null }
  return { key: known, protocol, position: position === undefined ? null : Number(position) }
}

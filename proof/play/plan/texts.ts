import type { AutomaticText } from '#server/conversations/store/texts.ts'
import type { SystemSettings } from '#shared/settings.ts'
import type { DayPlan } from './plan.ts'

/** The texts that a played day can bring; no operator writes to a client first. */
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

/** Each text names its setting and conversation, so that a phone alone can tell them apart. */
const templateOf = (key: DayText) => `[${key}] {{protocol}}${withPlace.includes(key) ? ' {{position}}' : ''}`

/** What an administrator has set before the day begins; hours and lunch are the usual ones. */
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

/** What a received text says about itself. */
export interface ReadText {
  /** 'reply': a person wrote it. */
  key: DayText | 'reply'
  /** Of the conversation; '' of a person's. */
  protocol: string
  position: number | null
}

export function readText(text: string): ReadText {
  const [, key, protocol = '', position] = /^\[(\w+)\] (\d{14})(?: (\d+))?$/.exec(text) ?? []
  const known = dayTexts.find((one) => one === key)
  if (!known) return { key: 'reply', protocol: '', position: null }
  return { key: known, protocol, position: position === undefined ? null : Number(position) }
}

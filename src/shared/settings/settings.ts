import * as z from 'zod/mini'
import { maxUploadBytes } from '#shared/messages/media.ts'
import { askReason } from './ask-reason.ts'
import { inactivityMinutes } from './inactivity.ts'
import { schedule, settingText } from './schedule.ts'
import { silentHours } from './silent-hours.ts'

const text = settingText()

/** The file of a quick response. */
export const quickResponseFile = z.object({
  /** Its name in the file store. */
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
  fileName: settingText(255),
  mimeType: settingText(255),
  sizeBytes: z.int().check(z.minimum(1), z.maximum(maxUploadBytes)),
  /** Sent as a voice message of so many seconds; absent: as a file. */
  voiceSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(86_400))),
})
export type QuickResponseFile = z.infer<typeof quickResponseFile>

/** The most characters of a quick response's shortcut. */
export const maxShortcut = 64

const quickResponse = z.object({
  shortcut: settingText(maxShortcut).check(z.trim(), z.minLength(1, 'Atalho é obrigatório')),
  /** With a file, its caption, which may be empty. */
  text,
  file: z.optional(quickResponseFile),
})

/** The settings of an administrator: the columns of specification §3 and the additions of decisions. */
export const systemSettings = z.object({
  ...schedule.shape,
  /** What the company is called, at the top of what is printed. */
  companyName: settingText(80),
  whatsappNumber: settingText(30),
  autoReplyMessage: text,
  isAutoReplyEnabled: z.boolean(),
  quickResponses: z.array(quickResponse).check(z.maxLength(200)),
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
  /** Whether a client is told that a file was not kept. */
  blockedFileNotice: z.boolean(),
  blockedFileMessage: text,
  preAttendanceEnabled: z.boolean(),
  preAttendanceMessage: text,
  preAttendanceCancelMessage: text,
  preAttendanceInvalidMessage: text,
  /** After so many answers that were not understood the next message comes into the queue; 0: never. */
  preAttendanceMostInvalid: z.int().check(z.minimum(0), z.maximum(20)),
  /** Whether clients choose a sector before the queue; with fewer than two sectors nobody is asked. */
  sectorMenuEnabled: z.boolean(),
  sectorMenuMessage: text,
  sectorMenuInvalidMessage: text,
  /** Whether the menu offers '0 - Cancelar'. */
  sectorMenuCancel: z.boolean(),
  ratingsEnabled: z.boolean(),
  ratingMessage: text,
  /** Whether a rating is asked for of a conversation that inactivity has ended. */
  ratingAfterInactivity: z.boolean(),
  /** Whether a message that only thanks, soon after the end, is put into the ended conversation. */
  thanksStayClosed: z.boolean(),
  phoneAnswersCount: z.boolean(),
  /** For how many seconds a send waits, and can be undone; 0: not at all. */
  undoSendSeconds: z.union([z.literal(0), z.int().check(z.minimum(3), z.maximum(10))]),
  /** For how many seconds screens offer to undo a finalization, whose texts wait as long; 0: not at all. */
  undoFinalizeSeconds: z.union([z.literal(0), z.int().check(z.minimum(3), z.maximum(15))]),
  /** Whether clients see when their messages were read. */
  readReceiptsEnabled: z.boolean(),
  /** An operator with fewer conversations that wait for an answer is free. */
  maxActivePerOperator: z.int().check(z.minimum(1), z.maximum(1000)),
  /** Whether the longest waiting conversation goes to the free operator with the fewest conversations. */
  autoDistributionEnabled: z.boolean(),
  /**
   * After how many minutes without an answer the clients of people in a pause go back to the queue; 0: never.
   */
  pauseReturnMinutes: z.int().check(z.minimum(0), z.maximum(600)),
  inactivityWarningMessage: text,
  /** How long before auto-close the client is warned; 0 for no warning. */
  inactivityWarningMinutes: z.int().check(z.minimum(0), z.maximum(inactivityMinutes - 1)),
  /** 'client' closes only conversations that wait for the client. */
  inactivityAppliesTo: z.enum(['client', 'all']),
  /** Whether only opening hours count as inactivity. */
  inactivityCountsOpenHoursOnly: z.boolean(),
  /** Whether who finalizes is asked for a reason; and for a tag, where the conversation has none. */
  askReason,
  askTag: askReason,
  /**
   * What a person is when a working day of theirs begins. 'kept': what they were when the last one ended; a
   * pause of that day has ended in any case.
   */
  newDayPresence: z.enum(['available', 'away', 'kept']),
  /** When the console is quiet for whoever has no silent hours of their own. */
  silentHours,
})
export type SystemSettings = z.infer<typeof systemSettings>

/**
 * The version that the caller saw. If somebody has changed one of the same settings since, the call is
 * refused with that person's name.
 */
export const seenVersion = z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1)))

/**
 * The settings that everyone needs: name, quick replies, sound and silence, undoing, time zone, hours. The
 * others need canViewSettings.
 */
export const publicSettingKeys = [
  'companyName',
  'workingHours',
  'lunchBreak',
  'timezone',
  'scheduleExceptions',
  'quickResponses',
  'greetingMessage',
  'verificationMessage',
  'farewellMessage',
  'lgpdMessage',
  'enableSoundNotifications',
  'silentHours',
  'undoSendSeconds',
  'undoFinalizeSeconds',
] as const satisfies readonly (keyof SystemSettings)[]

/** What of the settings of files can be changed. */
export const mediaSettingsForm = z.strictObject({ blockedFileMessage: settingText() })

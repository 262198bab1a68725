import * as z from 'zod/mini'
import { seenVersion, systemSettings } from './settings.ts'

// What numbers and sectors may have of their own, which no page loads at first.

/** The settings that a number may have of its own. */
export const numberSettings = z.pick(systemSettings, {
  workingHours: true,
  lunchBreak: true,
  scheduleExceptions: true,
  isAutoReplyEnabled: true,
  autoReplyMessage: true,
  transferMessage: true,
  finalizationMessage: true,
  inactivityMessage: true,
  inactivityWarningMessage: true,
  queueMessage: true,
  queueWelcomeMessage: true,
  queuePositionUpdateMessage: true,
  warningMessage: true,
  operatorInitiatedWarningMessage: true,
  preAttendanceEnabled: true,
  preAttendanceMessage: true,
  preAttendanceCancelMessage: true,
  preAttendanceInvalidMessage: true,
  sectorMenuEnabled: true,
  sectorMenuMessage: true,
  sectorMenuInvalidMessage: true,
  sectorMenuCancel: true,
  ratingsEnabled: true,
  ratingMessage: true,
  askReason: true,
  askTag: true,
})
export type NumberSettings = z.infer<typeof numberSettings>

type OrNull<Shape extends Record<string, z.core.SomeType>> = {
  [Key in keyof Shape]: z.ZodMiniOptional<z.ZodMiniNullable<Shape[Key]>>
}
const orNull = <Shape extends Record<string, z.core.SomeType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, z.optional(z.nullable(schema))]),
  ) as OrNull<Shape>

/** The settings that a sector may have of its own: a client chooses before there is a sector. */
export const sectorSettings = z.omit(numberSettings, {
  preAttendanceEnabled: true,
  preAttendanceMessage: true,
  preAttendanceCancelMessage: true,
  preAttendanceInvalidMessage: true,
  sectorMenuEnabled: true,
  sectorMenuMessage: true,
  sectorMenuInvalidMessage: true,
  sectorMenuCancel: true,
})
export type SectorSettings = z.infer<typeof sectorSettings>

/** What of a number becomes its own; null: it follows the installation again. The others stay as they are. */
export const numberSettingsChange = z.strictObject({ ...orNull(numberSettings.shape), version: seenVersion })
export type NumberSettingsChange = z.infer<typeof numberSettingsChange>

/** The same of a sector. */
export const sectorSettingsChange = z.strictObject(orNull(sectorSettings.shape))

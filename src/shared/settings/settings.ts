import * as z from 'zod/mini'
import { reading, tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { maxUploadBytes } from '#shared/messages/media.ts'
import { instant } from '#shared/users/users.ts'
import { lunchEndsAfter, lunchHasLength, schedule, settingText } from './schedule.ts'

const text = settingText()

/** Auto-close closes a conversation after this time without messages. @see specification §9 */
export const inactivityMinutes = 30

/** The file of a quick response. */
export const quickResponseFile = z.object({
  /** Its name in the file store. */
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
  fileName: settingText(255),
  mimeType: settingText(255),
  sizeBytes: z.int().check(z.minimum(1), z.maximum(maxUploadBytes)),
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
  /** Whether clients see when their messages were read. */
  readReceiptsEnabled: z.boolean(),
  /** An operator with fewer conversations that wait for an answer is free. */
  maxActivePerOperator: z.int().check(z.minimum(1), z.maximum(1000)),
  /** Whether the longest waiting conversation goes to the free operator with the fewest conversations. */
  autoDistributionEnabled: z.boolean(),
  inactivityWarningMessage: text,
  /** How long before auto-close the client is warned; 0 for no warning. */
  inactivityWarningMinutes: z.int().check(z.minimum(0), z.maximum(inactivityMinutes - 1)),
  /** 'client' closes only conversations that wait for the client. */
  inactivityAppliesTo: z.enum(['client', 'all']),
  /** Whether only opening hours count as inactivity. */
  inactivityCountsOpenHoursOnly: z.boolean(),
})
export type SystemSettings = z.infer<typeof systemSettings>

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
})
export type NumberSettings = z.infer<typeof numberSettings>

type OrNull<Shape extends Record<string, z.core.SomeType>> = {
  [Key in keyof Shape]: z.ZodMiniOptional<z.ZodMiniNullable<Shape[Key]>>
}
const orNull = <Shape extends Record<string, z.core.SomeType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, z.optional(z.nullable(schema))]),
  ) as OrNull<Shape>

/**
 * The version that the caller saw. If somebody has changed one of the same settings since, the call is
 * refused with that person's name.
 */
const seenVersion = z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1)))

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

/**
 * The settings that everyone needs: name, quick replies, sound, undoing, time zone, hours. The others need
 * canViewSettings.
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
  'undoSendSeconds',
] as const satisfies readonly (keyof SystemSettings)[]

export const getSystemSettings = endpoint({
  method: 'GET',
  path: '/api/system-settings',
  summary: 'Configurações do sistema; sem canViewSettings, só o que todos precisam',
  rows: {
    'GET /api/system-settings (projection)': { needs: [], audit: tuning },
    'GET /api/system-settings (full)': { act: 'viewSettings', audit: tuning },
  },
  reply: z.object({
    ...z.partial(systemSettings).shape,
    /** Whether it is open now, and when that changes; null if not within 400 days. */
    isOpenNow: z.boolean(),
    changesAt: z.nullable(instant),
    /** Incremented with every change. */
    version: z.int(),
  }),
})

const { start, end } = systemSettings.shape.lunchBreak.shape
const settingsChange = z.strictObject({
  ...z.partial(systemSettings).shape,
  /** Whoever sets its times wants it. */
  lunchBreak: z.optional(
    z.object({ enabled: z._default(z.boolean(), true), start, end }).check(lunchHasLength, lunchEndsAfter),
  ),
  version: seenVersion,
})
export type SettingsChange = z.infer<typeof settingsChange>

export const saveSystemSettings = endpoint({
  method: 'PATCH',
  path: '/api/system-settings',
  summary: 'Mudar configurações do sistema; o que não é enviado fica como está',
  act: 'editSettings',
  audit: 'settings.change',
  body: settingsChange,
  reply: z.object({ ...systemSettings.shape, version: z.int() }),
})

/** How files are stored. Except for the text, this is configured with the installation. */
const mediaSettings = z.object({
  id: z.int(),
  /**
   * The largest file of a client that is copied on arrival, in bytes. Larger ones are fetched when opened.
   */
  maxFileSize: z.int(),
  allowedImageTypes: z.array(z.string()),
  allowedVideoTypes: z.array(z.string()),
  allowedAudioTypes: z.array(z.string()),
  allowedDocumentTypes: z.array(z.string()),
  blockedFileMessage: text,
  createdAt: instant,
  updatedAt: instant,
  // Locations of files, only with canViewSettings.
  baseMediaUrl: z.optional(z.string()),
  evolutionApiProxyUrl: z.optional(z.string()),
  localFilesUrl: z.optional(z.string()),
  uploadDirectory: z.optional(z.string()),
  cacheDirectory: z.optional(z.string()),
})
export type MediaSettings = z.infer<typeof mediaSettings>

/** The part that can be changed. */
export const mediaSettingsForm = z.strictObject({ blockedFileMessage: text })

export const getMediaSettings = endpoint({
  method: 'GET',
  path: '/api/media-settings',
  summary: 'Configurações de mídia; sem canViewSettings, sem os lugares dos arquivos',
  needs: [['canUploadMedia', 'canViewSettings']],
  audit: tuning,
  reply: mediaSettings,
})
export const saveMediaSettings = endpoint({
  method: 'PUT',
  path: '/api/media-settings',
  summary: 'Mudar o aviso de arquivo recusado, o único campo que não é protegido',
  act: 'editSettings',
  audit: 'settings.change',
  body: mediaSettingsForm,
  reply: mediaSettings,
})

/** The body is multipart/form-data with the part `file`. */
export const uploadQuickResponseFile = endpoint({
  method: 'POST',
  path: '/api/quick-responses/file',
  summary: 'Guardar o arquivo de uma resposta rápida; passa a valer quando as configurações são salvas',
  act: 'editSettings',
  audit: { not: 'takes effect with the settings that name the file, which are recorded' },
  takesFile: true,
  reply: quickResponseFile,
  status: 201,
})

export const getQuickResponseFile = endpoint({
  method: 'GET',
  path: '/api/quick-responses/files/:name',
  summary: 'O arquivo de uma resposta rápida, para quem pode enviá-lo',
  act: 'attachFile',
  audit: reading,
  ids: { name: 'quick response' },
  params: z.object({ name: quickResponseFile.shape.name }),
})

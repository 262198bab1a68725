import * as z from 'zod/mini'
import { reading, tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { instant } from '#shared/users/users.ts'
import { lunchEndsAfter, lunchHasLength, settingText } from './schedule.ts'
import { mediaSettingsForm, quickResponseFile, seenVersion, systemSettings } from './settings.ts'

// The calls about the settings. Apart from the schemas, of which the first load of a page has none.

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

const lunch = systemSettings.shape.lunchBreak.shape
const settingsChange = z.strictObject({
  ...z.partial(systemSettings).shape,
  /** Whoever sets its times wants it. */
  lunchBreak: z.optional(
    z
      .object({ enabled: z._default(z.boolean(), true), start: lunch.start, end: lunch.end })
      .check(lunchHasLength, lunchEndsAfter),
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
  blockedFileMessage: settingText(),
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
  sendsFile: true,
})

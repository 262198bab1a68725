import { eq } from 'drizzle-orm'
import { allowedTypes, maxFileSize } from '#shared/messages/media.ts'
import type { MediaSettings } from '#shared/settings/settings-endpoints.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { describePlace, spoolFolder } from '#server/platform/file-store/places.ts'
import { installation } from '#server/schema/installation.ts'
import { systemSettings } from '#server/schema/settings.ts'
import { getSettings } from './settings.ts'

type Where = Pick<Config, 'dataDir' | 'mediaStore' | 'bucket'>

/**
 * How files are stored.
 * @param seesPlaces whether to include where
 * @see specification §3 media_settings, decisions §1 'settings'
 */
export async function readMediaSettings(
  db: Database,
  config: Where,
  seesPlaces: boolean,
): Promise<MediaSettings> {
  const { blockedFileMessage } = await getSettings(db)
  const [origin] = await db.select({ at: installation.createdAt }).from(installation)
  const [changed] = await db
    .select({ at: systemSettings.updatedAt })
    .from(systemSettings)
    .where(eq(systemSettings.id, 1))
  if (!origin) throw new Error('installation row missing')
  return {
    id: 1,
    maxFileSize,
    allowedImageTypes: [...allowedTypes.image],
    allowedVideoTypes: [...allowedTypes.video],
    allowedAudioTypes: [...allowedTypes.audio],
    allowedDocumentTypes: [...allowedTypes.document],
    blockedFileMessage,
    createdAt: origin.at.toISOString(),
    updatedAt: (changed ?? origin).at.toISOString(),
    ...(seesPlaces && {
      baseMediaUrl: '/api/media',
      evolutionApiProxyUrl: '/api/media/evolution',
      localFilesUrl: '/api/media/files',
      uploadDirectory: await describePlace(config, db),
      cacheDirectory: spoolFolder(config.dataDir),
    }),
  }
}

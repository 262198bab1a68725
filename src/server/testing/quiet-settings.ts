import type { SystemSettings } from '#shared/settings/settings.ts'
import type { Database } from '#server/platform/database/db.ts'
import { systemSettings } from '../schema/settings.ts'

/** No automatic texts, whatever the time of day; tests of automatic texts switch theirs on. */
export const quietSettings: Partial<SystemSettings> = {
  isAutoReplyEnabled: false,
  queueMessage: '',
  queueWelcomeMessage: '',
  queuePositionUpdateMessage: '',
  warningMessage: '',
  operatorInitiatedWarningMessage: '',
  blockedFileMessage: '',
}

/** Resets the settings to those that tests start with. */
export async function resetSettings(database: Database): Promise<void> {
  await database
    .insert(systemSettings)
    .values({ values: quietSettings })
    .onConflictDoUpdate({ target: systemSettings.id, set: { values: quietSettings } })
}

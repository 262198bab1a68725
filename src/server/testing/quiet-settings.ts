import type { SystemSettings } from '#shared/settings.ts'
import type { Database } from '#server/platform/database/db.ts'
import { systemSettings } from '../schema/settings.ts'

/** Nothing is said by itself, whatever hour the test runs at; what speaks of automatic texts switches its own on. */
export const quietSettings: Partial<SystemSettings> = {
  isAutoReplyEnabled: false,
  queueMessage: '',
  queueWelcomeMessage: '',
  queuePositionUpdateMessage: '',
  warningMessage: '',
  operatorInitiatedWarningMessage: '',
  blockedFileMessage: '',
}

/** The settings as a test finds them. */
export async function resetSettings(database: Database): Promise<void> {
  await database
    .insert(systemSettings)
    .values({ values: quietSettings })
    .onConflictDoUpdate({ target: systemSettings.id, set: { values: quietSettings } })
}

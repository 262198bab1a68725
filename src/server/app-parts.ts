import type { AppOptions } from './app-options.ts'
import { createAssistantServers } from './assistant/assistant.ts'
import { ensureKnownCategories } from './contacts/contacts.ts'
import { createMessageFiles } from './conversations/conversations.ts'
import { createGateway, createInboxWriter } from './gateway/gateway.ts'
import { openInstallation } from './installation.ts'
import { cipherOf, copyBeforeUpgrade, createBackupStore, maintenanceJob } from './maintenance/maintenance.ts'
import { migrateDatabase } from '#server/platform/database/db.ts'
import { createFileStore } from './platform/file-store.ts'
import { databaseDiskOf } from './platform/file-store/disk-room.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { openSecrets } from './platform/secrets.ts'

/** What was opened on the database, for the calls and the work in the background. */
export type AppParts = Awaited<ReturnType<typeof openParts>>

/** Migrates the database and opens what stands on it. */
export async function openParts(options: AppOptions) {
  const { config, database, log } = options
  const cipher = cipherOf(config.backupKey)
  await migrateDatabase(database, {
    beforeUpgrade: copyBeforeUpgrade({
      config,
      database,
      log,
      cipher,
      stopRequested: options.stopRequested,
    }),
  })
  const { epoch } = await openInstallation(database, config.isDemo)
  await ensureKnownCategories(database)
  const secrets = openSecrets(config.secretKey, config.dataDir)
  const outgoing = createOutgoingHttp(config.gatewayAllowedHosts)
  const gateway = createGateway(outgoing, secrets, {
    times: options.gatewayTimes,
    onAway: () => database.signals.send('connections'),
  })
  const servers = createAssistantServers(outgoing, config.agentUrl, options.assistantServerTimes)
  const files = await createFileStore(config, { database })
  const messageFiles = createMessageFiles({ database, gateway, files })
  const store = createBackupStore(config)
  const databaseDisk = databaseDiskOf(config)
  return {
    epoch,
    secrets,
    outgoing,
    gateway,
    servers,
    files,
    messageFiles,
    inbox: createInboxWriter(database),
    store,
    maintenance: maintenanceJob({ database, files, store, cipher, databaseDisk, secrets, log }),
  }
}

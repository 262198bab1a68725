import { rm } from 'node:fs/promises'
import { countRows } from '#server/maintenance/archive/archive.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import type { BackupCipher } from '#server/maintenance/archive/cipher.ts'
import type { Progress } from '#server/maintenance/archive/progress.ts'
import { withClient } from '#server/maintenance/archive/scratch.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type BeforeUpgrade, schemaVersion, tagOf } from '#server/platform/database/migrate.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { defineJob, type JobDefinition, JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import type { Log } from '#server/platform/log.ts'
import { StartRefused } from '#server/platform/start-refused.ts'
import { removeOldCopies } from './copies.ts'
import { copyTables, type UpgradeCopy } from './copy-tables.ts'

export interface UpgradeParts {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'isCopiedBeforeUpgrade'>
  database: Database
  cipher: BackupCipher | undefined
  log: Log
  /** What is left free on the disk, in bytes; for tests. */
  reserve?: number
  /** Asked now and then while it copies. */
  stopRequested?: (() => boolean) | undefined
}

/**
 * Copies the database before a start changes it, so that the upgrade can be undone after it has succeeded. A
 * failed one needs no copy, which is removed then.
 * @throws StartRefused when it cannot be copied; JobInterrupted when the start is to end
 */
export const copyBeforeUpgrade =
  (parts: UpgradeParts): BeforeUpgrade =>
  async (version) => {
    const { config, log } = parts
    const step = { from: tagOf(version), to: tagOf(schemaVersion) }
    if (!config.isCopiedBeforeUpgrade) {
      log.warn(step, 'the database is upgraded without a copy: UPGRADE_COPY=off')
      return undefined
    }
    const startedAt = performance.now()
    log.info(step, 'copying the database before its upgrade')
    const copy = await copyOrRefuse(parts, version)
    if (!copy) return undefined
    await removeOldCopies(config, new Date(copy.manifest.madeAt))
    const rows = countRows(copy.manifest)
    const took = Math.round(performance.now() - startedAt)
    log.info({ ...step, copy: copy.path, rows, took }, 'copied and compared; upgrading the database')
    return {
      async failed() {
        await rm(copy.path, { recursive: true, force: true })
      },
    }
  }

/** Once a day; of several instances one does it, and each at its own upgrades. */
export const trimUpgradeCopiesJob = (database: Database, config: Pick<Config, 'dataDir'>): JobDefinition =>
  defineJob({
    name: 'trim-upgrade-copies',
    schedule: '50 3 * * *',
    afterCrash: 'again',
    work: async () => removeOldCopies(config, await appNow(database)),
  })

async function copyOrRefuse(
  { config, database, cipher, reserve, stopRequested = () => false }: UpgradeParts,
  version: number,
): Promise<UpgradeCopy | undefined> {
  const goOn = () => (stopRequested() ? Promise.reject(new JobInterrupted('cancelled')) : Promise.resolve())
  const progress: Progress = { begin: goOn, add: goOn }
  try {
    return await withClient(database, (client) =>
      copyTables({ config, cipher, client, reserve }, version, progress),
    )
  } catch (error) {
    const reason = isDiskFull(error) ? 'O disco está cheio' : error instanceof BackupError && error.message
    if (!reason) throw error
    throw new StartRefused(
      `O banco precisa ser atualizado, e a cópia de antes não pôde ser feita. ${reason}. Nada foi mudado: ` +
        'resolva isso, ou inicie com UPGRADE_COPY=off depois de copiar o banco para outro lugar.',
      { cause: error },
    )
  }
}

import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadGiven } from './app-thread-given.ts'
import { cipherOf, maintenanceJob } from './maintenance/job.ts'
import { createBackupStore } from './maintenance/store/backup-store.ts'
import { fromDatabaseData } from '#server/platform/database/database-data.ts'
import { openDatabase } from '#server/platform/database/db.ts'
import { armFailpoints } from './platform/failpoints.ts'
import { createFileStore } from './platform/file-store.ts'
import { databaseDiskOf } from './platform/file-store/disk-room.ts'
import { serveThread } from './platform/jobs/serve-thread.ts'
import type { ThreadWork } from './platform/jobs/job-threads.ts'
import { createLog } from './platform/log.ts'
import { returnMemory } from './platform/memory.ts'
import { openSecrets } from './platform/secrets.ts'

// What a thread runs that does the work of one run of a job. It imports no doors of rooms that it does not
// need: what is loaded takes memory a second time.

/** The work waits for the disk and the database more than for a connection, and needs few at once. */
const poolSize = 4

const port = parentPort
if (!port) throw new Error('this is no program of its own')
// Of the thread alone, on Linux: it gives way to the thread that passes messages on.
const { PRIORITY_BELOW_NORMAL: priority } = constants.priority
if (process.platform === 'linux' && getPriority() < priority) setPriority(priority)
if (process.env['FAILPOINTS']) armFailpoints(process.env['FAILPOINTS'])

const { config, database: data, logLevel, work } = workerData as ThreadGiven & { work: ThreadWork }
const log = createLog(logLevel)
const database = openDatabase({ ...fromDatabaseData(data), log, poolSize })
const job = maintenanceJob({
  database,
  log,
  files: await createFileStore(config, { database, isBeside: true }),
  store: createBackupStore(config),
  cipher: cipherOf(config.backupKey),
  databaseDisk: databaseDiskOf(config),
  secrets: openSecrets(config.secretKey, config.dataDir),
})
// Loading some hundred modules has left more garbage than the work ever will.
returnMemory()
const ending = await serveThread({ database, jobs: [job], port }, work)
await database.close()
port.postMessage(ending)

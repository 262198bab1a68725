import { moveFiles } from '#server/maintenance/files/move.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/db.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { createLog } from '#server/platform/log.ts'
import { filePlaces } from '#server/schema/installation.ts'

// A move in a process of its own, for tests that kill it: CONNECTION is that of the database, TO the place.

const { env } = process
if (env['FAILPOINTS']) armFailpoints(env['FAILPOINTS'])
const config = readConfig(env, false)
const database = openDatabase({
  connection: JSON.parse(env['CONNECTION'] ?? '{}') as object,
  log: createLog('silent'),
  poolSize: 3,
})
const to = filePlaces.find((place) => place === env['TO'])
if (!to) throw new Error('TO is no place')
const files = await createFileStore(config, { database })
const { files: moved } = await moveFiles({ config, database, files }, to, () => Promise.resolve())
await database.close()
process.stdout.write(String(moved))

import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scanForPerson } from '#server/maintenance/privacy/scan.ts'
import type { TestApp } from '#server/testing/test-app.ts'

/** Where a person is found, in the database and in the files of the store, as `lgpd:scan` looks. */
export async function findPerson(
  { database, config }: Pick<TestApp, 'database' | 'config'>,
  phone: string,
  also: string[],
): Promise<string[]> {
  const uploads = join(config.dataDir, 'uploads')
  // oxlint-disable-next-line typescript/require-await -- the scan takes it as a stream
  async function* files() {
    for (const entry of readdirSync(uploads, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const name = join(entry.parentPath, entry.name)
      yield { name, read: () => Promise.resolve(createReadStream(name)) }
    }
  }
  const places: string[] = []
  await scanForPerson(database, { phone, also }, files(), ({ place }) => void places.push(place))
  return places
}

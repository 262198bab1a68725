import { firstVersion, readSchemaState } from '#server/platform/database/migrate.ts'
import { makeOtherVersion, type OtherVersion } from '../support/other-version.ts'
import type { Place } from './installation.ts'
import { runIn } from './run-in.ts'

/** Takes version 0.1.0, from which every installation begins its way to this one. */
export const makeFirstVersion = (): OtherVersion => makeOtherVersion('c1155a5a', '0.1.0')

/** Makes the tables of version 0.1.0 in a place where nothing is, by a command of that version. */
export async function migrateByFirst(place: Place, first: OtherVersion): Promise<void> {
  // It finds no installation; the tables are there by then, and nothing else.
  const { said } = await runIn(first.folder, place, 'cli', 'list')
  const { version } = await place.with(({ pool }) => readSchemaState(pool))
  if (version !== firstVersion) throw new Error(`version 0.1.0 has made no tables: ${said}`)
}

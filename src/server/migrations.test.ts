import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import { schema } from './schema/schema.ts'

const folder = join(import.meta.dirname, 'migrations/meta')

/** The tables as the last migration leaves them. */
function migratedTables(): ReturnType<typeof generateDrizzleJson> {
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)
  return JSON.parse(readFileSync(join(folder, last ?? ''), 'utf8')) as ReturnType<typeof generateDrizzleJson>
}

test('no table differs from what the migrations make of it', async () => {
  const missing = await generateMigration(migratedTables(), generateDrizzleJson(schema))
  expect(missing, 'npm run db:generate writes the missing migration').toEqual([])
})

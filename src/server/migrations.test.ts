import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import { firstVersion } from './platform/database/migrate.ts'
import { readMigrations } from './platform/database/migrations.ts'
import { schema } from './schema/schema.ts'

const folder = join(import.meta.dirname, 'migrations')

const snapshots = readdirSync(join(folder, 'meta')).filter((file) => file.endsWith('_snapshot.json'))

test('only the last snapshot is kept, which is all that the next migration is made from', () => {
  expect(snapshots).toHaveLength(1)
})

test('no table differs from what the migrations make of it', async () => {
  const last = snapshots.toSorted().at(-1)
  const migrated = JSON.parse(readFileSync(join(folder, 'meta', last ?? ''), 'utf8')) as ReturnType<
    typeof generateDrizzleJson
  >
  const missing = await generateMigration(migrated, generateDrizzleJson(schema))
  expect(missing, 'npm run db:generate writes the missing migration').toEqual([])
})

test('the baseline is the one that databases know by its hash: a change is a new migration', () => {
  const [baseline] = readMigrations()
  expect(baseline).toMatchObject({
    tag: '0000_baseline',
    hash: 'a7b6d6f541cdb56d94639d1a911a1b30f1730455bef1bc7c91e2e1115f0f1372',
  })
})

test('each migration is later than the one before, and the first than version 0.1.0', () => {
  const times = [firstVersion, ...readMigrations().map(({ when }) => when)]
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(times.length)
})

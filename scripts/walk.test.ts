import { expect, test } from 'vitest'
import { runWalks } from '../proof/walk/run-walks.ts'
import { atNight } from '#server/testing/nightly.ts'
import { testDatabase } from '../src/server/testing/test-app.ts'

test('whatever happens, what a browser holds and was sent equals what it would fetch', async () => {
  const { database, close } = await testDatabase()
  const walks = atNight(3, 1)
  const { failures, seen, compared } = await runWalks(database, { walks, steps: 60, seed: 20_261_121 })
  expect(failures).toEqual([])
  expect(compared).toBeGreaterThan(14 * walks)
  expect(seen.get('new_message')).toBeGreaterThan(10)
  await close()
}, 60_000)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { atNight } from '#server/testing/nightly.ts'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { prepareGround } from '../proof/merges/merges.ts'
import { runSequence } from '../proof/merges/sequences.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

test('after any sequence of merges and undoing everything belongs together', async () => {
  const ground = await prepareGround(t.database, seededRandom('merges'))
  for (let n = 0; n < atNight(60, 25); n++) expect(await runSequence(ground, 14)).toEqual([])
})

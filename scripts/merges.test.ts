import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '#server/testing/inputs/sampled.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { createRandom } from '#simulator/random.ts'
import { prepareGround } from '../proof/merges/merges.ts'
import { runSequence } from '../proof/merges/sequences.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

test('after any sequence of merges and undoing everything belongs together', async () => {
  const ground = await prepareGround(t.database, createRandom(Date.now()))
  for (let n = 0; n < rounds(60, 25); n++) expect(await runSequence(ground, 14)).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { rounds } from '#server/testing/inputs/sampled.ts'
import { testDatabase, testNumber, type TestDatabase } from '#server/testing/test-app.ts'
import { createRandom } from '#simulator/random.ts'
import { verifyDataSet } from '../proof/reports/reports.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

test('all figures of reports are those of the messages, and an error of a second is found', async () => {
  const instanceId = await testNumber(t.database)
  const seed = Date.now()
  const random = createRandom(seed)
  for (let n = 0; n < rounds(3, 1); n++) {
    const { differences, isPlantedFound } = await verifyDataSet(t.database, instanceId, random, 150)
    expect({ seed, n, differences: differences.slice(0, 5), isPlantedFound }).toEqual({
      seed,
      n,
      differences: [],
      isPlantedFound: true,
    })
  }
})

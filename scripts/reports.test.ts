import { afterAll, beforeAll, expect, test } from 'vitest'
import { atNight } from '#server/testing/nightly.ts'
import { seededRandom } from '#server/testing/inputs/seeded-random.ts'
import { testDatabase, testNumber, type TestDatabase } from '#server/testing/test-app.ts'
import { verifyDataSet } from '../proof/reports/reports.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

test('all figures of reports are those of the messages, and an error of a second is found', async () => {
  const instanceId = await testNumber(t.database)
  const random = seededRandom('reports')
  for (let n = 0; n < atNight(3, 1); n++) {
    const { differences, isPlantedFound } = await verifyDataSet(t.database, instanceId, random, 150)
    expect({ n, differences: differences.slice(0, 5), isPlantedFound }).toEqual({
      n,
      differences: [],
      isPlantedFound: true,
    })
  }
})

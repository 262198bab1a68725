import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOrders } from './arrival-orders.ts'
import { atNight } from '#server/testing/nightly.ts'
import { newSeed } from './seeded-random.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'

let t: TestDatabase
beforeAll(async () => void (t = await testDatabase()))
afterAll(() => t.close())

const histories = atNight(28, 8)
/** Six events have 720 orders. */
const orders = atNight(720, 4)

test(
  'what is written around a choice ends in the same, in whatever order it comes',
  async () => {
    const { played, differences } = await runOrders(t.database, {
      histories,
      orders,
      seed: newSeed('arrival orders'),
    })
    expect(played).toBe(histories * orders)
    expect(differences.slice(0, 2)).toEqual([])
  },
  atNight(3_600_000, 600_000),
)

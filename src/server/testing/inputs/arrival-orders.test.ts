import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOrders } from './arrival-orders.ts'
import { atNight } from '#server/testing/nightly.ts'
import { newSeed } from './seeded-random.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'

let t: TestDatabase
beforeAll(async () => void (t = await testDatabase()))
afterAll(() => t.close())

const histories = atNight(28, 8)
/** Six events have 720 orders; all of them take an hour, and a night has more to do. */
const orders = atNight(120, 4)

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
  atNight(1_800_000, 600_000),
)

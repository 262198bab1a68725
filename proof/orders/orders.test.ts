import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { rounds } from '#server/testing/sampled.ts'
import { runOrders } from './orders.ts'

let t: TestDatabase
beforeAll(async () => void (t = await testDatabase()))
afterAll(() => t.close())

const histories = 14
const orders = rounds(12, 4)

test('what is written around a choice ends in the same, in whatever order it comes', async () => {
  const { played, differences } = await runOrders(t.database, {
    histories,
    orders,
    seed: Date.now() % 1_000_000,
  })
  expect(played).toBe(histories * orders)
  expect(differences.slice(0, 2)).toEqual([])
}, 120_000)

import { expect, test } from 'vitest'
import { acts } from '../proof/walk/acts.ts'
import { broughtBy, runWalks } from '../proof/walk/run-walks.ts'
import { liveEventData } from '../src/shared/live-events.ts'
import { testDatabase } from '../src/server/testing/test-app.ts'

test('whatever happens, what a browser holds and was told equals what it would fetch', async () => {
  const { database, close } = await testDatabase()
  const { failures, seen, compared } = await runWalks(database, { walks: 3, steps: 40, seed: 20_261_121 })
  expect(failures).toEqual([])
  expect(compared).toBeGreaterThan(40)
  expect(seen.get('new_message')).toBeGreaterThan(10)
  await close()
}, 60_000)

// A quoted message moved into another conversation; a call moved the start of an assigned conversation.
test.each([202_178, 202_606])(
  'the walk of seed %i, which once found a fault, finds none',
  async (seed) => {
    const { database, close } = await testDatabase()
    const { failures } = await runWalks(database, { walks: 1, steps: 30, seed })
    expect(failures).toEqual([])
    await close()
  },
  60_000,
)

test('every live event has an act that brings it', () => {
  expect(Object.values(broughtBy).filter((name) => !(name in acts))).toEqual([])
  expect(Object.keys(broughtBy).toSorted()).toEqual(Object.keys(liveEventData).toSorted())
})

import { expect, test } from 'vitest'
import { createSleepers } from './sleepers.ts'

test('one piece of work wakes one worker, and the end of work all of them', async () => {
  const sleepers = createSleepers()
  const ended: number[] = []
  const all = [1, 2, 3].map((n) => sleepers.sleep(60_000).then(() => ended.push(n)))
  sleepers.wakeOne()
  await all[0]
  expect(ended).toEqual([1])
  sleepers.wakeAll()
  await Promise.all(all)
  expect(ended).toHaveLength(3)
})

test('a call that came while nobody slept is not lost', async () => {
  const sleepers = createSleepers()
  sleepers.wakeOne()
  expect(await sleepers.sleep(60_000)).toBe('call')
})

test('nobody sleeps longer than agreed', async () => {
  expect(await createSleepers().sleep(1)).toBe('time')
})

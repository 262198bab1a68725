import { expect, test } from 'vitest'
import { createWorkerSleep } from './worker-sleep.ts'

test('one signal wakes one lane, and the end wakes all of them', async () => {
  const lanes = createWorkerSleep()
  const ended: number[] = []
  const all = [1, 2, 3].map((n) => lanes.sleep(60_000).then(() => ended.push(n)))
  lanes.signal()
  await all[0]
  expect(ended).toEqual([1])
  lanes.wakeAll()
  await Promise.all(all)
  expect(ended).toHaveLength(3)
})

test('a signal sent while nobody slept is not lost', async () => {
  const lanes = createWorkerSleep()
  lanes.signal()
  expect(await lanes.sleep(60_000)).toBe('signal')
})

test('lanes share one poll: it wakes one of them, and the next poll another', async () => {
  const lanes = createWorkerSleep()
  const ended: string[] = []
  const startedAtMs = performance.now()
  const all = ['a', 'b'].map((name) => lanes.sleep(40).then((reason) => ended.push(`${name} ${reason}`)))
  await all[0]
  expect(ended).toEqual(['a poll'])
  await all[1]
  expect(ended).toEqual(['a poll', 'b poll'])
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(75)
})

test('a shorter wait brings the shared poll forward', async () => {
  const lanes = createWorkerSleep()
  const first = lanes.sleep(60_000)
  void lanes.sleep(1)
  expect(await first).toBe('poll')
  lanes.wakeAll()
})

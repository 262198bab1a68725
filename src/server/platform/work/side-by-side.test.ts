import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sideBySide } from './side-by-side.ts'

test('works on all items, so many at a time', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await sideBySide([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running)
    await sleep(1)
    running -= 1
    done.push(item)
  })
  expect(most).toBe(3)
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('work side by side begins nothing after a failure, and throws when the others have ended', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const all = sideBySide([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    if (item === 2) throw new Error('two')
    await sleep(5)
    ended.push(item)
  })
  await expect(all).rejects.toThrow('two')
  expect(begun).toEqual([1, 2])
  expect(ended).toEqual([1])
})

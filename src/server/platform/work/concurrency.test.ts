import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sideBySide } from './side-by-side.ts'
import { coalesce } from './coalesce.ts'
import { createPerNumber } from './per-number.ts'

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

/** Work whose rounds last until they are released. */
function heldWork() {
  const rounds: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const ask = coalesce(async (items: string[]) => {
    rounds.push(items)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.join('')
  })
  return { ask, rounds, gates }
}

test('a single call is served alone; calls made meanwhile share the next round, in order', async () => {
  const { ask, rounds, gates } = heldWork()
  const first = ask('a')
  const others = ['b', 'c', 'd'].map(ask)
  expect(rounds).toEqual([['a']])
  gates[0]?.resolve()
  expect(await first).toBe('a')
  expect(rounds).toEqual([['a'], ['b', 'c', 'd']])
  gates[1]?.resolve()
  expect(await Promise.all(others)).toEqual(['bcd', 'bcd', 'bcd'])
})

test('a round that fails rejects its own calls, and the next round goes on', async () => {
  const { ask, gates } = heldWork()
  const first = ask('a')
  const second = ask('b')
  gates[0]?.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  gates[1]?.resolve()
  expect(await second).toBe('b')
})

/** Work that ends when it is told to. */
function stage() {
  const begun: number[] = []
  const ends = new Map<number, { resolve: (n: number) => void; reject: (error: Error) => void }>()
  const failed: number[] = []
  const perNumber = createPerNumber(
    (id) => {
      begun.push(id)
      return new Promise<number>((resolve, reject) => ends.set(id, { resolve, reject }))
    },
    (_error, id) => failed.push(id),
  )
  return { begun, failed, perNumber, end: (id: number) => ends.get(id), count: () => begun.length }
}

test('slow work for a number continues, and is skipped until it has ended', async () => {
  const { begun, perNumber, end } = stage()
  const first = perNumber.some([1, 2], 30)
  end(2)?.resolve(20)
  expect(await first).toEqual({ results: new Map([[2, 20]]), isWhole: false })
  const second = perNumber.some([1, 2], 30)
  end(2)?.resolve(21)
  expect(await second).toEqual({ results: new Map([[2, 21]]), isWhole: false })
  expect(begun).toEqual([1, 2, 2])
  end(1)?.resolve(10)
  await perNumber.ended()
  const third = perNumber.some([1], 30)
  end(1)?.resolve(11)
  expect(await third).toEqual({ results: new Map([[1, 11]]), isWhole: true })
})

test('a failure is reported and stops no other; it is thrown when nothing else has come of it', async () => {
  const { failed, perNumber, end } = stage()
  const both = perNumber.some([1, 2], 30)
  end(1)?.reject(new Error('away'))
  end(2)?.resolve(20)
  expect(await both).toEqual({ results: new Map([[2, 20]]), isWhole: false })
  expect(failed).toEqual([1])
  const alone = perNumber.some([1], 1000)
  end(1)?.reject(new Error('away'))
  await expect(alone).rejects.toThrow('away')
  const late = perNumber.some([3], 10)
  await late
  end(3)?.reject(new Error('late'))
  await perNumber.ended()
  await sleep(0)
  expect(failed).toEqual([1, 3])
})

test('whoever wants all joins what is under way', async () => {
  const { begun, perNumber, end } = stage()
  const some = perNumber.some([1], 10)
  const all = perNumber.all([1, 2])
  await some
  end(1)?.resolve(10)
  end(2)?.resolve(20)
  expect(await all).toEqual([10, 20])
  expect(begun).toEqual([1, 2])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPerNumber } from './per-number.ts'

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

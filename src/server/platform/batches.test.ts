import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

/** Work that ends when it is told to. */
function heldWork() {
  const rounds: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const ask = inBatches(async (items: string[]) => {
    rounds.push(items)
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.join('')
  })
  return { ask, rounds, gates }
}

test('who comes alone is served alone; who comes meanwhile shares the next round, in order', async () => {
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

test('a round that fails is the failure of those in it, and the next one goes on', async () => {
  const { ask, gates } = heldWork()
  const first = ask('a')
  const second = ask('b')
  gates[0]?.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  gates[1]?.resolve()
  expect(await second).toBe('b')
})

import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

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

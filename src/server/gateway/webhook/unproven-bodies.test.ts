import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUnprovenBodies, type Place } from './unproven-bodies.ts'

const large = 500_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Entered = Place & { isFree: Promise<void>; state: 'waiting' | 'reading' | 'refused' }

/** Enters bodies, and notes what becomes of each. */
function door() {
  const bodies = createUnprovenBodies()
  const enter = (address: string, announced: number | 'in chunks' = large): Entered => {
    const place = bodies.enter(address, announced === 'in chunks' ? undefined : announced)
    const entered: Entered = Object.assign(place, { state: 'waiting' as const })
    entered.isFree.then(
      () => (entered.state = 'reading'),
      () => (entered.state = 'refused'),
    )
    return entered
  }
  const several = (count: number, address: string) => Array.from({ length: count }, () => enter(address))
  return { enter, several }
}

const statesOf = async (places: Entered[]) => {
  await vi.advanceTimersByTimeAsync(0)
  return Object.fromEntries(
    [...Map.groupBy(places, ({ state }) => state)].map(([state, { length }]) => [state, length]),
  )
}

test('unproven bodies are read up to a number of each address and of all together', async () => {
  const { enter, several } = door()
  const [a, b, c] = [several(3, 'a'), several(3, 'b'), several(2, 'c')]
  expect(await statesOf(a)).toEqual({ reading: 2, waiting: 1 })
  expect(await statesOf(b)).toEqual({ reading: 2, waiting: 1 })
  expect(await statesOf(c)).toEqual({ waiting: 2 })
  a[0]?.leave(false)
  expect(await statesOf([...a, ...b, ...c])).toEqual({ reading: 5, waiting: 3 })
  // One who hangs up while they wait makes room for nobody, and takes none.
  const gone = enter('d')
  gone.leave(true)
  expect(await statesOf([gone])).toEqual({ refused: 1 })
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await statesOf([...a, ...b, ...c])).toEqual({ reading: 5, refused: 3 })
})

test('unproven bodies wait in a room of limited size, which the most refused leaves first', async () => {
  const { enter, several } = door()
  const read = [...several(2, 'a'), ...several(2, 'b')]
  for (const place of read.slice(0, 2)) place.leave(true)
  const again = several(2, 'a')
  const waiting = [...several(10, 'a'), ...several(6, 'c')]
  expect(await statesOf(waiting)).toEqual({ waiting: 16 })
  const fresh = enter('fresh')
  expect(await statesOf([fresh])).toEqual({ waiting: 1 })
  expect(await statesOf(waiting)).toEqual({ waiting: 15, refused: 1 })
  expect(waiting[9]?.state).toBe('refused')
  // Those of 'c' came before, and all of 'a' after them.
  again[0]?.leave(false)
  expect(waiting[10]?.state).toBe('waiting')
  expect(await statesOf(waiting.slice(10))).toEqual({ reading: 1, waiting: 5 })
})

test('unproven bodies but short ones are refused unread for a minute after eight refusals', async () => {
  const { enter } = door()
  const refuse = (address: string) => enter(address).leave(true)
  for (let n = 0; n < 7; n++) refuse('a')
  await vi.advanceTimersByTimeAsync(30_000)
  refuse('a')
  expect(() => enter('a')).toThrow('Muitas tentativas recusadas')
  expect(() => enter('a', 'in chunks')).toThrow('Muitas tentativas recusadas')
  expect(() => enter('b')).not.toThrow()
  const short = enter('a', 16_384)
  expect(await statesOf([short])).toEqual({ reading: 1 })
  short.leave(true)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(() => enter('a')).toThrow('Muitas tentativas recusadas')
  await vi.advanceTimersByTimeAsync(1500)
  expect(() => enter('a')).not.toThrow()
})

test('unproven bodies count no refusal that is older than a minute, and none that was ours', () => {
  const { enter } = door()
  for (let n = 0; n < 20; n++) enter('a').leave(false)
  for (let n = 0; n < 7; n++) enter('a').leave(true)
  vi.advanceTimersByTime(61_000)
  for (let n = 0; n < 7; n++) enter('a').leave(true)
  expect(() => enter('a')).not.toThrow()
})

test('unproven bodies of an address that had the key are read, whatever strangers do', async () => {
  const { enter, several } = door()
  for (let n = 0; n < 8; n++) enter('gateway').leave(true)
  const first = enter('gateway', 3000)
  first.prove()
  first.leave(false)
  expect(await statesOf([...several(2, 'a'), ...several(2, 'b'), ...several(2, 'c')])).toEqual({
    reading: 4,
    waiting: 2,
  })
  for (let n = 0; n < 30; n++) enter('gateway').leave(true)
  expect(await statesOf(several(10, 'gateway'))).toEqual({ reading: 8, waiting: 2 })
})

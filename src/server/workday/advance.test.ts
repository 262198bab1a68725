import { describe, expect, test } from 'vitest'
import { createRandom } from '#simulator/random.ts'
import { newSeed } from '#server/testing/inputs/seeded-random.ts'
import { atNight } from '#server/testing/nightly.ts'
import { advance, type Chosen, type Period, type Seen } from './advance.ts'

// The record of one person over random days, against what each second was.

const available: Chosen = {
  state: 'available',
  reasonId: null,
  pausedAt: null,
  limitMinutes: null,
  countsAsWork: false,
}
const idleAfter = 15 * 60

interface Socket {
  from: number
  /** Exclusive. */
  to: number
  inputs: number[]
}

interface Day {
  length: number
  sockets: Socket[]
  choices: { at: number; chosen: Chosen }[]
  /** When the record is looked after, beside at each change. */
  looks: number[]
  /** When ours is down: nobody is connected, nothing is looked after. */
  outages: { from: number; to: number }[]
}

function randomDay(random: () => number): Day {
  const length = 3 * 3600 + Math.floor(random() * 9 * 3600)
  const at = () => Math.floor(random() * length)
  const outages = Array.from({ length: Math.floor(random() * 3) }, () => {
    const from = at()
    return { from, to: from + 1 + Math.floor(random() * (random() < 0.5 ? 100 : 600)) }
  })
  const sockets: Socket[] = []
  const devices = 1 + Math.floor(random() * 3)
  for (let device = 0; device < devices; device++) {
    let now = Math.floor(random() * 1800)
    while (now < length) {
      const to = Math.min(length, now + 30 + Math.floor(random() ** 2 * 3 * 3600))
      // Our own outages cut it.
      const cut = outages.filter(({ from }) => from > now && from < to).map(({ from }) => from)
      const end = Math.min(to, ...cut)
      const during = outages.some((one) => now >= one.from && now < one.to)
      if (!during) {
        const inputs = [now]
        for (let last = now; ;) {
          last += 60 + Math.floor(random() ** 4 * 3600)
          if (last >= end) break
          inputs.push(last)
        }
        sockets.push({ from: now, to: end, inputs })
      }
      const gap = random() < 0.6 ? Math.floor(random() * 119) : Math.floor(random() * 3600)
      now = Math.max(
        end + gap,
        ...outages.filter(({ from, to: back }) => end >= from && end < back).map((one) => one.to),
      )
    }
  }
  const choices = Array.from({ length: Math.floor(random() * 12) }, () => at())
    .toSorted((a, b) => a - b)
    .map((when): Day['choices'][number] => {
      const dice = random()
      if (dice < 0.45) return { at: when, chosen: available }
      if (dice < 0.6) return { at: when, chosen: { ...available, state: 'away' } }
      const reasonId = 1 + Math.floor(random() * 3)
      return {
        at: when,
        chosen: { state: 'paused', reasonId, pausedAt: when, limitMinutes: 10, countsAsWork: reasonId === 3 },
      }
    })
    // Who is not connected chooses nothing.
    .filter(({ at: when }) => sockets.some(({ from, to }) => from <= when && when < to))
  const looks = Array.from({ length: Math.ceil(length / 30) }, (_, n) => n * 30)
  return { length, sockets, choices, looks, outages }
}

/** The record as the recorder writes it: at each change, when somebody may be idle, every thirty seconds. */
function played(day: Day): Period[] {
  const end = day.length + 600
  const isDown = (at: number) => day.outages.some(({ from, to }) => at >= from && at < to)
  const moments = new Set([
    ...day.looks,
    ...day.sockets.flatMap(({ from, to, inputs }) => [from, to, ...inputs.flatMap(withIdleness)]),
    ...day.choices.flatMap(({ at }) => withIdleness(at)),
    ...day.outages.map(({ to }) => to),
    end,
  ])
  const written = new Map<number, Period>()
  let lastId = 0
  for (const now of [...moments].toSorted((a, b) => a - b)) {
    if (isDown(now) && now !== end) continue
    const open = [...written.values()].find(({ endedAt }) => endedAt === null)
    const ends = [...written.values()].flatMap(({ endedAt }) => endedAt ?? [])
    for (const period of advance(
      open,
      ends.length > 0 ? Math.max(...ends) : undefined,
      seenAt(day, now),
      now,
    )) {
      const id = period.id ?? ++lastId
      if (period.endedAt !== null && period.endedAt <= period.startedAt) written.delete(id)
      else written.set(id, { ...period, id })
    }
  }
  return [...written.values()]
}

const withIdleness = (inputAt: number) => [inputAt, inputAt + idleAfter]

const sinceStart = (day: Day, now: number) => day.choices.findLast(({ at }) => at <= now)?.chosen ?? available

function seenAt(day: Day, now: number): Seen {
  const known = day.sockets.filter(({ from, to }) => from <= now && to > now - 1200)
  // To choose something is an input.
  const chosenAt = day.choices.map(({ at }) => at)
  const inputs = [...known.flatMap((socket) => socket.inputs), ...chosenAt].filter((at) => at <= now)
  const inputAt = inputs.length > 0 ? Math.max(...inputs) : undefined
  return {
    spans: known.map(({ from, to }) => ({ from, to: Math.min(to, now), isOpen: to > now })),
    chosen: sinceStart(day, now),
    idleSince: inputAt !== undefined && now - inputAt >= idleAfter ? inputAt + idleAfter : undefined,
    inputAt,
    device: '',
  }
}

/** What each second was, by another way: 'offline', or the state with the beginning of its pause. */
function expectedSeconds(day: Day): string[] {
  const isOpen = new Uint8Array(day.length)
  for (const { from, to } of day.sockets) isOpen.fill(1, from, to)
  const lastInput: number[] = []
  const inputs = new Set([...day.sockets.flatMap((one) => one.inputs), ...day.choices.map((one) => one.at)])
  for (let at = 0; at < day.length; at++)
    lastInput.push(inputs.has(at) ? at : (lastInput[at - 1] ?? -Infinity))
  const seconds: string[] = []
  const wordOf = ({ state, reasonId, pausedAt }: Chosen) =>
    state === 'paused' ? `${reasonId}@${pausedAt}` : state
  for (let at = 0; at < day.length; at++) {
    if (isOpen[at] === 0) {
      seconds.push('?')
      continue
    }
    const chosen = sinceStart(day, at)
    const inputAt = lastInput[at] ?? -Infinity
    seconds.push(chosen.state === 'available' && at - inputAt >= idleAfter ? 'idle' : wordOf(chosen))
  }
  // A gap shorter than a loss belongs to what was before it; a longer one, and the end, are offline.
  for (let at = 0; at < day.length; at++) {
    if (seconds[at] !== '?') continue
    let end = at
    while (end < day.length && seconds[end] === '?') end++
    const isBridged = at > 0 && end < day.length && end - at < 120
    seconds.fill(isBridged ? (seconds[at - 1] ?? 'offline') : 'offline', at, end)
    at = end - 1
  }
  return seconds
}

function recordedSeconds(day: Day, periods: readonly Period[]): string[] {
  const seconds = Array.from({ length: day.length }, () => 'offline')
  for (const { startedAt, endedAt, state, reasonId, pausedAt } of periods) {
    const word = state === 'paused' ? `${reasonId}@${pausedAt}` : state
    for (let at = startedAt; at < (endedAt ?? day.length); at++) {
      if (seconds[at] !== 'offline') throw new Error(`second ${at} is two things`)
      seconds[at] = word
    }
  }
  return seconds
}

describe('the record of a working day', () => {
  test('each second of random days is what it was, with lost connections and our own restarts', () => {
    const first = newSeed('the record of a working day')
    for (let n = 0; n < atNight(10_000, 60); n++) {
      const seed = first + n
      const day = randomDay(createRandom(seed))
      const [found, expected] = [recordedSeconds(day, played(day)), expectedSeconds(day)]
      const at = expected.findIndex((word, second) => word !== found[second])
      if (at >= 0) expect.fail(`seed ${seed}, second ${at}: ${found[at]} instead of ${expected[at]}`)
    }
  }, 600_000)

  test('a clock that is put back or forward makes no two states overlap', () => {
    const first = newSeed('a clock that is put back')
    for (let n = 0; n < atNight(2000, 100); n++) {
      const random = createRandom(first + n)
      const kept: Period[] = []
      let [open, now, lastEnd]: [Period | undefined, number, number | undefined] = [
        undefined,
        10_000,
        undefined,
      ]
      for (let step = 0; step < 200; step++) {
        now += random() < 0.03 ? Math.floor((random() - 0.5) * 14_400) : Math.floor(random() * 40)
        const isHere = random() < 0.9
        const chosen: Chosen = random() < 0.5 ? available : { ...available, state: 'away' }
        const spans = [{ from: now - 3000, to: isHere ? now : now - 20, isOpen: isHere }]
        const seen: Seen = { spans, chosen, idleSince: undefined, inputAt: now, device: '' }
        const periods: Period[] = advance(open, lastEnd, seen, now)
        for (const period of periods) {
          if (period.endedAt === null) open = { ...period, id: 1 }
          else {
            open = undefined
            lastEnd = period.endedAt
            if (period.endedAt > period.startedAt) kept.push(period)
          }
        }
      }
      const overlaps = kept.filter((period, at) => at > 0 && period.startedAt < (kept[at - 1]?.endedAt ?? 0))
      expect(overlaps, `seed ${first + n}`).toEqual([])
    }
  })
})

/** The simulator's time; replaced in tests and simulated days. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * A clock that moves only by `advance`, which runs due timers in order and lets promises settle in between.
 */
export function createManualClock(
  startMs = Date.UTC(2026, 10, 20, 12),
): Clock & { advance(ms: number): Promise<void> } {
  let now = startMs
  let waiting: { at: number; run: () => void }[] = []
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    after: (ms, run) => {
      const entry = { at: now + Math.max(0, ms), run }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    advance: async (ms) => {
      const end = now + ms
      for (;;) {
        await settle()
        const due = waiting.filter((entry) => entry.at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (!due) break
        waiting = waiting.filter((entry) => entry !== due)
        now = due.at
        due.run()
      }
      now = end
      await settle()
    },
  }
}

/** Timers that can all be stopped at once. */
export interface Timers {
  after(ms: number, run: () => void): () => void
  sleep(ms: number): Promise<void>
  stopAll(): void
}

export function createTimers(clock: Clock): Timers {
  const running = new Set<() => void>()
  let stopped = false
  const after: Timers['after'] = (ms, run) => {
    if (stopped) return () => undefined
    const cancel = clock.after(ms, () => {
      running.delete(cancel)
      run()
    })
    running.add(cancel)
    return () => {
      running.delete(cancel)
      cancel()
    }
  }
  return {
    after,
    sleep: (ms) => (ms > 0 ? new Promise((resolve) => after(ms, resolve)) : Promise.resolve()),
    stopAll: () => {
      stopped = true
      for (const cancel of running) cancel()
      running.clear()
    },
  }
}

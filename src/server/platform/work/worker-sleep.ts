/** What ended a sleep and started a pass. */
export type WakeReason = 'signal' | 'poll'

/** The sleep of a worker's lanes while there is nothing to do. A signal, and each poll, wakes one of them. */
export interface WorkerSleep {
  /**
   * A signal that came while no lane slept ends the next sleep at once.
   * @param pollMs the maximum time until the next poll, which all sleeping lanes share
   */
  sleep(pollMs: number): Promise<WakeReason>
  /** Wakes one lane; remembered when none sleeps. */
  signal(): void
  /** Wakes one lane if any sleeps. */
  wakeSleeper(): void
  wakeAll(): void
}

export function createWorkerSleep(): WorkerSleep {
  const asleep = new Set<(reason: WakeReason) => void>()
  let isSignalled = false
  let poll: { atMs: number; timer: NodeJS.Timeout } | undefined

  function wakeOne(reason: WakeReason): boolean {
    const [wake] = asleep
    if (!wake) return false
    asleep.delete(wake)
    if (asleep.size === 0) clearPoll()
    wake(reason)
    return true
  }

  function clearPoll(): void {
    clearTimeout(poll?.timer)
    poll = undefined
  }

  function pollIn(ms: number): void {
    const atMs = performance.now() + ms
    if (poll && poll.atMs <= atMs) return
    clearPoll()
    const timer = setTimeout(() => {
      poll = undefined
      wakeOne('poll')
      // The lane that works now may do so for long; the others go on polling.
      if (asleep.size > 0) pollIn(ms)
    }, ms)
    poll = { atMs, timer }
  }

  return {
    wakeSleeper: () => void wakeOne('signal'),
    signal() {
      if (!wakeOne('signal')) isSignalled = true
    },
    wakeAll() {
      while (wakeOne('signal'));
    },
    sleep(pollMs) {
      if (isSignalled) {
        isSignalled = false
        return Promise.resolve('signal')
      }
      return new Promise((resolve) => {
        asleep.add(resolve)
        pollIn(pollMs)
      })
    },
  }
}

/** Workers of one kind that lie down when there is nothing to do. One piece of work wakes one of them. */
export interface Sleepers {
  /** @returns what ended the sleep; a call that came while nobody slept ends the next one at once */
  sleep(atMostMs: number): Promise<'call' | 'time'>
  wakeOne(): void
  wakeAll(): void
}

export function createSleepers(): Sleepers {
  const asleep = new Set<() => void>()
  let isCalled = false
  const wakeOne = () => {
    const [first] = asleep
    if (first) first()
    else isCalled = true
  }
  return {
    wakeOne,
    wakeAll() {
      for (const wake of asleep) wake()
    },
    sleep(atMostMs) {
      if (isCalled) {
        isCalled = false
        return Promise.resolve('call')
      }
      return new Promise((resolve) => {
        const end = (reason: 'call' | 'time') => {
          clearTimeout(timer)
          asleep.delete(wake)
          resolve(reason)
        }
        const wake = () => end('call')
        const timer = setTimeout(() => end('time'), atMostMs)
        asleep.add(wake)
      })
    },
  }
}

/** Workers of one kind that lie down when there is nothing to do. One piece of work wakes one of them. */
export interface Sleepers {
  /** @returns what ended the sleep; a call that came while nobody slept ends the next one at once */
  sleep(atMostMs: number): Promise<'call' | 'time'>
  /**
   * A moment in which work may gather: calls meanwhile are for who rests, and wake nobody.
   * @returns whether there was one
   */
  rest(ms: number): Promise<boolean>
  wakeOne(): void
  wakeAll(): void
}

export function createSleepers(): Sleepers {
  const asleep = new Set<() => void>()
  let isCalled = false
  let resting = 0
  const wakeOne = () => {
    const [first] = asleep
    if (first && resting === 0) first()
    else isCalled = true
  }
  const takeCall = () => {
    const was = isCalled
    isCalled = false
    return was
  }
  return {
    wakeOne,
    wakeAll() {
      for (const wake of asleep) wake()
    },
    async rest(ms) {
      resting++
      await new Promise((resolve) => setTimeout(resolve, ms))
      resting--
      return takeCall()
    },
    sleep(atMostMs) {
      if (takeCall()) return Promise.resolve('call')
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

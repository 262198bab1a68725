/** The login attempts in progress in this process, by lower-case name, whether or not the name exists. */
const underWay = new Map<string, Set<Promise<void>>>()

/** One login attempt, from taking it until its result is stored. */
export interface LoginTurn {
  begin(): void
  /** Wakes the waiting attempts. Call it always, even when the attempt was not taken. */
  end(): void
  /**
   * Resolves with true when another attempt with the same name has ended, or with false when there is none.
   */
  otherHasEnded(): Promise<boolean>
}

export function loginTurn(username: string): LoginTurn {
  const name = username.toLowerCase()
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    begin() {
      underWay.set(name, (underWay.get(name) ?? new Set()).add(promise))
    },
    end() {
      const ofName = underWay.get(name)
      ofName?.delete(promise)
      if (ofName?.size === 0) underWay.delete(name)
      resolve()
    },
    async otherHasEnded() {
      const ofName = underWay.get(name)
      if (!ofName) return false
      await Promise.race(ofName)
      return true
    },
  }
}

/** The guesses that are under way in this process, by lower-case name, of somebody or of nobody. */
const underWay = new Map<string, Set<Promise<void>>>()

/** One guess: from the moment its attempt was taken until what came of it is written down. */
export interface LoginTurn {
  begin(): void
  /** Lets those go on who wait. Always called, begun or not. */
  end(): void
  /** @returns once another guess of the same name has ended; false when there is none */
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

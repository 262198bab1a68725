/** Calls every listener; `on` returns a function that removes it. */
export function createEmitter<Value>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    on(listener: (value: Value) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(value: Value): void {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          // An exception in one listener must not affect the others.
          reportError(error)
        }
      }
    },
  }
}

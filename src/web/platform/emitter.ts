/** Calls every listener with a value; `on` returns the function that removes the listener. */
export function createEmitter<Value>() {
  const listeners = new Set<(value: Value) => void>()
  return {
    on(listener: (value: Value) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(value: Value): void {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          // An error in one listener does not keep the others from being called.
          reportError(error)
        }
      }
    },
  }
}

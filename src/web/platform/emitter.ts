/** Tells everybody who listens; gives each listener the way to stop. */
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
          // One listener's fault is not the next one's loss.
          reportError(error)
        }
      }
    },
  }
}

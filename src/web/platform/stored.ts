import { useSyncExternalStore } from 'react'

/**
 * One choice of this browser, kept in the local storage and shared by all tabs.
 * @param parse what is stored (null: nothing) into the choice; a primitive
 */
export function storedChoice<Value extends string | number | boolean>(
  key: string,
  parse: (stored: string | null) => Value,
) {
  const listeners = new Set<() => void>()
  const notifyListeners = () => listeners.forEach((listener) => listener())
  const get = () => parse(localStorage.getItem(key))
  window.addEventListener('storage', (event) => event.key === key && notifyListeners())
  return {
    get,
    set(value: Value): void {
      localStorage.setItem(key, String(value))
      notifyListeners()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The choice, and again after each change. */
    use: (): Value =>
      // oxlint-disable-next-line react/rules-of-hooks -- made once a key, at module level, and named `use`
      useSyncExternalStore((listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }, get),
  }
}

import { useSyncExternalStore } from 'react'

/**
 * A preference of this browser, kept in local storage and shared by all tabs.
 * @param parse converts the stored text (null: none) into the preference; a primitive
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
    /** The preference, updated on change. */
    use: (): Value =>
      // oxlint-disable-next-line react/rules-of-hooks -- called once per key, at module level
      useSyncExternalStore((listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }, get),
  }
}

import { createEmitter } from '#web/platform/emitter.ts'

/** The session token, as used by this tab and stored by the browser for all tabs. */
const key = 'auth_token'
const changes = createEmitter<void>()
const foreignChanges = createEmitter<void>()

let token = localStorage.getItem(key)

export function storedToken(): string | null {
  return token
}

/** Stores the token; null deletes it. */
export function storeToken(next: string | null): void {
  token = next
  if (next === null) localStorage.removeItem(key)
  else localStorage.setItem(key, next)
  changes.emit()
}

/** Called after each change, made here or in another tab; returns a function that unsubscribes. */
export function onTokenChange(listener: () => void): () => void {
  return changes.on(listener)
}

/** Called first, and only when another tab has signed in or out. */
export function onForeignToken(listener: () => void): () => void {
  return foreignChanges.on(listener)
}

window.addEventListener('storage', (event) => {
  if (event.key !== key && event.key !== null) return
  const next = localStorage.getItem(key)
  if (next === token) return
  token = next
  foreignChanges.emit()
  changes.emit()
})

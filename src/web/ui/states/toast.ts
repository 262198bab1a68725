export interface ToastContent {
  title: string
  description?: string
  tone?: 'success' | 'error' | 'info'
  /**
   * An action that can still be taken: 'Desfazer'. The toast stays longer with it. With `forMs` it is offered
   * for that long, also while somebody points at the toast.
   */
  action?: { label: string; onClick: () => void; forMs?: number }
}

export interface ShownToast extends ToastContent {
  id: number
}

let shown: ShownToast | undefined
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a notification in place of the previous one. @see specification §9 Notifications */
export function toast(content: ToastContent): void {
  lastId += 1
  set({ ...content, id: lastId })
}

/** Removes a notification, if it is still the one shown. */
export function dismissToast(id: number): void {
  if (shown?.id === id) set(undefined)
}

/** For the one `Toaster`. */
export const toastStore = {
  get: () => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(next: ShownToast | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

import type { Conversation } from '#shared/conversations.ts'

/**
 * In the FILA: a contact began it, nobody has it, and the client waits.
 * @see specification §4 Queue
 */
export function isQueued(row: Conversation): boolean {
  return (
    row.subStatus === 'FILA' &&
    row.waitingFor === 'operator' &&
    row.status !== 'completed' &&
    row.initiatedBy === 'contact'
  )
}

/** Queued first, oldest first; then the rest, newest start first. For `Array.prototype.sort`. */
export function listOrder(a: Conversation, b: Conversation): number {
  const aQueued = isQueued(a)
  if (aQueued !== isQueued(b)) return aQueued ? -1 : 1
  const byStart = Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.id - b.id
  return aQueued ? byStart : -byStart
}

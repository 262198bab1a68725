import type { Conversation } from '#shared/conversations/conversations.ts'

/**
 * Whether a conversation waits in the FILA: begun by the contact, unassigned, and the client is waiting.
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

/**
 * Queued conversations first, oldest first; then the others, newest start first. For `Array.prototype.sort`.
 */
export function listOrder(a: Conversation, b: Conversation): number {
  const aQueued = isQueued(a)
  if (aQueued !== isQueued(b)) return aQueued ? -1 : 1
  const byStart = Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.id - b.id
  return aQueued ? byStart : -byStart
}

/**
 * All open conversations in order, each with its 1-based position in the FILA, or null outside it, as the
 * server counts. Since the list is complete, no refetch is needed after a conversation has left the queue.
 * Rows with an unchanged position stay the same objects.
 */
export function ranked(rows: Conversation[]): Conversation[] {
  return rows.map((row, index) => {
    const queuePosition = isQueued(row) ? index + 1 : 0
    return row.queuePosition === queuePosition ? row : { ...row, queuePosition }
  })
}

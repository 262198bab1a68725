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

/**
 * All open conversations in their order, each with its place in the FILA as the server counts it: 1 for the first, null
 * outside it. Whoever has the whole list need not ask again because somebody has left it. Rows whose place is right stay the
 * same objects.
 */
export function ranked(rows: Conversation[]): Conversation[] {
  return rows.map((row, index) => {
    const queuePosition = isQueued(row) ? index + 1 : null
    return row.queuePosition === queuePosition ? row : { ...row, queuePosition }
  })
}

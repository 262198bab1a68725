import type { Conversation } from '#shared/conversations/conversations.ts'
import { isQueued } from '#shared/conversations/list/list-view.ts'
import { listOrder } from '#web/conversations/cache/list-order.ts'

/**
 * The place that a conversation will have in the queue of a sector, by its start; 1 is the first.
 * @param open the open conversations that the person sees
 * @param waiting how many wait there, also of those that the person does not see
 * @returns undefined where it depends on what the person does not see
 */
export function placeIn(
  sectorId: number,
  conversation: Conversation,
  open: readonly Conversation[],
  waiting: number | undefined,
): number | undefined {
  if (waiting === undefined) return undefined
  const queue = open.filter((row) => row.sectorId === sectorId && isQueued(row) && row.id !== conversation.id)
  if (queue.length !== waiting) return undefined
  const moved = { ...conversation, status: 'waiting', subStatus: 'FILA', waitingFor: 'operator' } as const
  return 1 + queue.filter((row) => listOrder(row, moved) < 0).length
}

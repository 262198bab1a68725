import { type PointerEvent, useMemo, useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'

/**
 * Rows in their order, except while the pointer is over them: then none moves, so that nobody opens another chat than the one
 * that he aimed at. What is new stands at the end meanwhile, and what has left keeps its place.
 * @param list which list it is: another one does not keep this one's order
 */
export function useSteadyRows(rows: readonly Conversation[], list: string) {
  const [held, setHeld] = useState<{ list: string; rows: readonly Conversation[] }>()
  const shown = useMemo(() => (held?.list === list ? inOrderOf(held.rows, rows) : rows), [held, list, rows])
  const hold = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      // A finger is over nothing until it presses.
      if (pointerType === 'mouse') setHeld({ list, rows })
    },
    onPointerLeave: () => setHeld(undefined),
  }
  return { shown, hold }
}

/** The rows of now in the order of before. */
export function inOrderOf(
  before: readonly Conversation[],
  now: readonly Conversation[],
): readonly Conversation[] {
  const byId = new Map(now.map((row) => [row.id, row]))
  const kept = before.map((row) => byId.get(row.id) ?? row)
  const known = new Set(before.map(({ id }) => id))
  return [...kept, ...now.filter(({ id }) => !known.has(id))]
}

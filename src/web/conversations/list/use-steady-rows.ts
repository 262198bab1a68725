import { type PointerEvent, useMemo, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'

/**
 * Rows in their order, except while the pointer is over them: then none moves, so that a click cannot hit the
 * wrong chat. Meanwhile new rows are appended, and rows that left keep their place.
 * @param list identifies the list; another list does not inherit the order
 */
export function useSteadyRows(rows: readonly Conversation[], list: string) {
  const [held, setHeld] = useState<{ list: string; rows: readonly Conversation[] }>()
  const shown = useMemo(() => (held?.list === list ? inOrderOf(held.rows, rows) : rows), [held, list, rows])
  const hold = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      // Touch has no hover.
      if (pointerType === 'mouse') setHeld({ list, rows })
    },
    onPointerLeave: () => setHeld(undefined),
  }
  return { shown, hold }
}

/** The current rows in the previous order. */
export function inOrderOf(
  before: readonly Conversation[],
  now: readonly Conversation[],
): readonly Conversation[] {
  const byId = new Map(now.map((row) => [row.id, row]))
  const kept = before.map((row) => byId.get(row.id) ?? row)
  const known = new Set(before.map(({ id }) => id))
  return [...kept, ...now.filter(({ id }) => !known.has(id))]
}

import { useEffect, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'

/** The conversations of a list that a person has chosen, to do the same with all of them. */
export interface Selection {
  isOn: boolean
  /** As the list shows them now; one that has left the list as it was shown last. */
  rows: readonly Conversation[]
  /** Whether every row of the list is chosen. */
  isWhole: boolean
  has: (id: number) => boolean
  /** @param isRange also everything between this row and the one before */
  toggle: (row: Conversation, isRange: boolean) => void
  /** Starts with nothing chosen. */
  begin: () => void
  chooseAll: () => void
  drop: (ids: readonly number[]) => void
  end: () => void
}

interface Chosen {
  list: string
  rows: ReadonlyMap<number, Conversation>
  /** The row chosen last, where a range begins. */
  anchor: number | undefined
}

/**
 * Escape ends the selection, and so does another list.
 * @param shown the rows of the list, in their order
 * @param list identifies the list
 */
export function useSelection(shown: readonly Conversation[], list: string): Selection {
  const [state, setState] = useState<Chosen>()
  const chosen = state?.list === list ? state : undefined
  const isOn = chosen !== undefined
  useEffect(() => {
    if (!isOn) return
    // On the document: dialogs and menus handle the key before, the composer after it.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return
      event.preventDefault()
      setState(undefined)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])

  const current = new Map(shown.map((row) => [row.id, row]))
  return {
    isOn,
    rows: [...(chosen?.rows.values() ?? [])].map((row) => current.get(row.id) ?? row),
    isWhole: shown.every(({ id }) => chosen?.rows.has(id)),
    has: (id) => chosen?.rows.has(id) ?? false,
    toggle: (row, isRange) => {
      const rows = new Map(chosen?.rows)
      const between = isRange ? rangeOf(shown, chosen?.anchor, row.id) : []
      if (between.length > 0) for (const each of between) rows.set(each.id, each)
      else if (!rows.delete(row.id)) rows.set(row.id, row)
      setState(rows.size === 0 ? undefined : { list, rows, anchor: row.id })
    },
    begin: () => setState({ list, rows: new Map(), anchor: undefined }),
    chooseAll: () =>
      setState({ list, rows: new Map([...(chosen?.rows ?? []), ...current]), anchor: undefined }),
    drop: (ids) =>
      setState((before) => {
        const rows = new Map([...(before?.rows ?? [])].filter(([id]) => !ids.includes(id)))
        return before && rows.size > 0 ? { list: before.list, rows, anchor: undefined } : undefined
      }),
    end: () => setState(undefined),
  }
}

/** The rows from one to another, in either direction; empty if one of them is not in the list. */
function rangeOf(
  shown: readonly Conversation[],
  from: number | undefined,
  to: number,
): readonly Conversation[] {
  const [a, b] = [from, to].map((id) => shown.findIndex((row) => row.id === id)) as [number, number]
  return a === -1 || b === -1 ? [] : shown.slice(Math.min(a, b), Math.max(a, b) + 1)
}

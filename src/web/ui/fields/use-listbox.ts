import { type MouseEvent, type PointerEvent, useId, useState } from 'react'

/**
 * A listbox whose options are marked by key or pointer while the focus stays in a field, or on the list
 * itself, which names the marked option by `aria-activedescendant`.
 */
export function useListbox({
  count,
  first = 0,
  scope = '',
  stepFor,
  onChoose,
}: {
  count: number
  /** The option that is marked at the beginning. */
  first?: number
  /** What the options answer, such as a search; when it changes, the first option is marked again. */
  scope?: string
  /**
   * The option that a key leads to, or undefined for a key that does not move the mark. Called with `count` >
   * 0.
   */
  stepFor: (key: string, from: number, count: number) => number | undefined
  /** @param isMore whether another one will be chosen after it: with Shift, or by touch */
  onChoose: (index: number, isMore: boolean) => void
}) {
  const id = useId()
  const [mark, setMark] = useState({ scope, index: first })
  const marked = mark.scope === scope ? Math.min(mark.index, Math.max(0, count - 1)) : 0
  const markOption = (index: number) => setMark({ scope, index })
  const optionId = (index: number) => `${id}-${index}`
  return {
    marked,
    markOption,
    /** Handles a key that moves the mark. @returns whether it did */
    moveByKey(key: string): boolean {
      const to = count > 0 ? stepFor(key, marked, count) : undefined
      if (to === undefined) return false
      markOption(to)
      return true
    },
    /** Chooses the marked option. @returns whether there is one */
    chooseMarked(isMore = false): boolean {
      if (count === 0) return false
      onChoose(marked, isMore)
      return true
    },
    /** For the element that has the focus. */
    owner: { 'aria-controls': id, 'aria-activedescendant': count > 0 ? optionId(marked) : undefined },
    list: { id, role: 'listbox' },
    option: (index: number) => ({
      id: optionId(index),
      role: 'option',
      tabIndex: -1,
      'aria-selected': index === marked,
      ref: index === marked ? scrollIntoView : undefined,
      // The focus stays where it is.
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
      onClick: (event: MouseEvent) => onChoose(index, event.shiftKey || isByTouch(event)),
    }),
  }
}

function isByTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof window.PointerEvent && nativeEvent.pointerType === 'touch'
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** Moves by `step` and stops at either end. */
export function clampedStep(from: number, step: number, count: number): number {
  return Math.max(0, Math.min(count - 1, from + step))
}

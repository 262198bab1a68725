/**
 * Scrolls a list as far as it takes to show one of its items. What is around the list does not move, as it
 * would by `scrollIntoView`, which moves everything that scrolls.
 */
export function showWithin(list: HTMLElement, item: Element): void {
  const [seen, wanted] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  list.scrollLeft += stepTo(wanted.left - seen.left, wanted.right - seen.right)
  list.scrollTop += stepTo(wanted.top - seen.top, wanted.bottom - seen.bottom)
}

/** By how much to go back for a beginning that is cut, or else on for an end that is. */
const stepTo = (start: number, end: number) => (start < 0 ? start : Math.max(0, Math.min(start, end)))

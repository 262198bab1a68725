import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { isLine } from '#web/conversations/kinds/kinds.ts'
import type { TimelineItem } from './timeline.ts'

const controls = [
  'a[href], button, input, select, textarea, summary, audio[controls], video[controls]',
  '[tabindex]',
].join()

/** Elements whose own keys are the arrows. */
const steered = 'input, select, textarea, audio, video'

/**
 * One stop of the tab order for all messages, the newest one in sight: the arrow keys, Home and End move the
 * focus among them, and Tab leads to the links and buttons of the one that has it.
 */
export function useRovingFocus({
  items,
  scroller,
  hold,
  scrollTo,
}: {
  items: readonly TimelineItem[]
  scroller: RefObject<HTMLElement | null>
  /** Called with the key of the item whose row has the focus, or undefined. */
  hold: (key: string | undefined) => void
  /** Brings a row onto the screen. */
  scrollTo: (index: number) => void
}) {
  /** The item to focus as soon as it is mounted. */
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const article = wanted.current === undefined ? undefined : articleOf(element, wanted.current)
    if (article) {
      wanted.current = undefined
      article.focus({ preventScroll: true })
    }
    setStops(element)
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // Parts of a message may be loaded later.
    const observer = new MutationObserver(() => setStops(element))
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [scroller])

  const move = (to: number) => {
    const item = items[to]
    if (!item) return
    wanted.current = to
    hold(item.key)
    scrollTo(to)
  }
  return {
    onFocus: ({ target }: { target: Element }) => {
      const row = rowOf(target)
      if (row) hold(items[Number(row.dataset['index'])]?.key)
      if (scroller.current) setStops(scroller.current)
    },
    onBlur: ({ relatedTarget }: { relatedTarget: Element | null }) => {
      if (relatedTarget && scroller.current?.contains(relatedTarget)) return
      hold(undefined)
      if (scroller.current) setStops(scroller.current)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
      // Menus are elsewhere in the document.
      const row = event.target instanceof Element ? rowOf(event.target) : undefined
      if (!row || (event.target as Element).matches(steered)) return
      const to = indexFor(event.key, items, Number(row.dataset['index']))
      if (to === undefined) return
      event.preventDefault()
      if (to !== -1) move(to)
    },
  }
}

/** The message that a key leads to: -1 when there is none, undefined for other keys. */
export function indexFor(key: string, items: readonly TimelineItem[], from: number): number | undefined {
  const isMessage = (item: TimelineItem) => item.kind === 'message' && !isLine(item.message.messageType)
  switch (key) {
    case 'ArrowUp':
      return items.slice(0, from).findLastIndex(isMessage)
    case 'ArrowDown':
      return items.findIndex((item, index) => index > from && isMessage(item))
    case 'Home':
      return items.findIndex(isMessage)
    case 'End':
      return items.findLastIndex(isMessage)
    default:
      return undefined
  }
}

function rowOf(element: Element): HTMLElement | undefined {
  return element.closest<HTMLElement>('[data-index]') ?? undefined
}

function articleOf(scroller: Element, index: number) {
  return scroller.querySelector<HTMLElement>(`[data-index="${index}"] article`)
}

/** Leaves one article in the tab order, and in it the controls only while it has the focus. */
function setStops(scroller: HTMLElement): void {
  const focused = document.activeElement?.closest('article')
  const held = focused && scroller.contains(focused) ? focused : undefined
  const articles = [...scroller.querySelectorAll('article')]
  const stop = held ?? newestInSight(scroller, articles)
  // Without a message, the focus is only needed to scroll.
  scroller.tabIndex = stop ? -1 : 0
  for (const article of articles) {
    article.tabIndex = article === stop ? 0 : -1
    for (const control of article.querySelectorAll<HTMLElement>(controls)) setStop(control, article === held)
  }
}

function newestInSight(scroller: HTMLElement, articles: readonly HTMLElement[]) {
  const { bottom } = scroller.getBoundingClientRect()
  return articles.findLast((article) => article.getBoundingClientRect().top < bottom) ?? articles.at(-1)
}

/** Takes a control out of the tab order, and puts it back as it was. */
function setStop(control: HTMLElement, isStop: boolean): void {
  const before = control.dataset['tabindex']
  if (isStop) {
    if (before === undefined) return
    if (before === '') control.removeAttribute('tabindex')
    else control.setAttribute('tabindex', before)
    delete control.dataset['tabindex']
  } else if (before === undefined) {
    control.dataset['tabindex'] = control.getAttribute('tabindex') ?? ''
    control.tabIndex = -1
  }
}

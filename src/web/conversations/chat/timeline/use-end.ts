import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { newestKey, type TimelineItem } from './timeline.ts'

export const endThresholdPx = 80
/** Older pages are requested before the reader reaches the very top. */
const startThresholdPx = 800
const drawnWithinMs = 100

/**
 * Whether the reader is at the end, and whether something arrived since leaving it. At the end, new rows are
 * followed.
 */
export function useEnd(
  items: readonly TimelineItem[],
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
  onReachStart: (() => void) | undefined,
) {
  const [isAtEnd, setIsAtEnd] = useState(true)
  /** Whether new rows are followed: known before `isAtEnd` is rendered. */
  const follows = useRef(true)
  const lastKey = newestKey(items)
  const [seenKey, setSeenKey] = useState(lastKey)
  if (isAtEnd && seenKey !== lastKey) setSeenKey(lastKey)
  const [isPlaced, setIsPlaced] = useState(false)
  const measureEnd = useCallback(() => {
    const element = scroller.current
    if (!element) return
    follows.current = element.scrollHeight - element.scrollTop - element.clientHeight <= endThresholdPx
    setIsAtEnd(follows.current)
    setIsPlaced(true)
  }, [scroller])
  /** To be called before scrolling elsewhere, which is only known to the next scroll event. */
  const leaveEnd = useCallback(() => {
    follows.current = false
    // There may be nothing to scroll.
    setTimeout(measureEnd, drawnWithinMs)
  }, [measureEnd])
  const height = virtualizer.getTotalSize()
  useLayoutEffect(() => {
    if (follows.current) virtualizer.scrollToEnd()
  }, [virtualizer, lastKey, height])
  // At the start nothing may have scrolled, and rows have their heights only once rendered.
  useEffect(() => {
    const drawn = setTimeout(measureEnd, drawnWithinMs)
    return () => clearTimeout(drawn)
  }, [measureEnd])
  const onScroll = () => {
    measureEnd()
    if ((scroller.current?.scrollTop ?? startThresholdPx) < startThresholdPx) onReachStart?.()
  }
  return { isAtEnd, isPlaced, hasNews: seenKey !== lastKey, onScroll, leaveEnd }
}

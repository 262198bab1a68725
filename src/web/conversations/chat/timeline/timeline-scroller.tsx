import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { ListOrdered } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { lookOf } from '#web/conversations/kinds/kinds.ts'
import { DayPill } from './day-pill.tsx'
import { useRovingFocus } from './roving-focus.ts'
import { endThresholdPx, useEnd } from './use-end.ts'
import type { MessageActions } from '#web/conversations/chat/message/message-item.ts'
import { MessageRow } from '#web/conversations/chat/message/message-row.tsx'
import { TimelineOverlay } from './timeline-overlay.tsx'
import type { TimelineItem } from './timeline.ts'
import { LineText } from '#web/conversations/chat/message/event-line.tsx'
import { UnreadDivider } from './unread-divider.tsx'

/** A message to scroll to; a new object for each jump. */
export interface Marked {
  messageId: number
}

interface RowsProps {
  items: readonly TimelineItem[]
  contactName: string
  marked: Marked | undefined
  actions: MessageActions
}

/** The scrolling part of the timeline. Mounted once there is something to show. */
export function TimelineScroller({
  newestSend,
  older,
  onReachStart,
  onEnd,
  ...rows
}: RowsProps & {
  /** Changes when the operator sends; the end is then shown, wherever the reader was. */
  newestSend: string | undefined
  older: 'loading' | 'failed' | 'quiet'
  onReachStart: () => void
  /** Whether the newest message is on the screen. */
  onEnd?: (isAtEnd: boolean) => void
}) {
  const { items } = rows
  const scroller = useRef<HTMLDivElement>(null)
  /** The item whose row has the focus. */
  const [heldKey, hold] = useState<string>()
  const virtualizer = useTimelineVirtualizer(items, scroller, heldKey)
  const { isAtEnd, isPlaced, hasNews, onScroll, leaveEnd } = useEnd(
    items,
    scroller,
    virtualizer,
    older === 'failed' ? undefined : onReachStart,
  )
  useOpeningPlace(items, virtualizer, leaveEnd)
  useEffect(() => onEnd?.(isPlaced && isAtEnd), [onEnd, isPlaced, isAtEnd])
  useLayoutEffect(() => {
    if (newestSend !== undefined) virtualizer.scrollToEnd()
  }, [virtualizer, newestSend])
  useScrollToMarked(rows, virtualizer, leaveEnd)
  const roving = useRovingFocus({
    items,
    scroller,
    hold,
    scrollTo: (index) => {
      leaveEnd()
      virtualizer.scrollToIndex(index, { align: 'auto' })
    },
  })
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        tabIndex={-1}
        role="log"
        aria-label="Mensagens"
        // Rows also come and go by scrolling. @see NewMessages
        aria-live="off"
        onScroll={onScroll}
        {...roving}
        className={[
          'thin-scroll min-h-0 flex-1 overflow-y-auto overscroll-contain',
          '[overflow-anchor:none] focus-visible:-outline-offset-2',
        ].join(' ')}
      >
        <div className="flex min-h-full flex-col justify-end">
          <Rows {...rows} virtualizer={virtualizer} />
        </div>
      </div>
      <TimelineOverlay
        dayAt={dayAbove(items, virtualizer)}
        older={older}
        onRetryOlder={onReachStart}
        isAtEnd={isAtEnd}
        hasNews={hasNews}
        onToEnd={() => virtualizer.scrollToEnd()}
      />
    </div>
  )
}

/** Starts at the end, or at the first unread message with the row above it. */
function useOpeningPlace(
  items: readonly TimelineItem[],
  virtualizer: TimelineVirtualizer,
  leaveEnd: () => void,
): void {
  const [stop] = useState(() => items.findIndex(({ kind }) => kind === 'unread'))
  useLayoutEffect(() => {
    if (stop === -1) return virtualizer.scrollToEnd()
    leaveEnd()
    virtualizer.scrollToIndex(Math.max(0, stop - 1), { align: 'start' })
  }, [stop, virtualizer, leaveEnd])
}

/** Scrolls once for each jump, as soon as the message is among the rows. */
function useScrollToMarked(
  { items, marked }: RowsProps,
  virtualizer: TimelineVirtualizer,
  leaveEnd: () => void,
): void {
  const shown = useRef<Marked>(undefined)
  useLayoutEffect(() => {
    if (!marked || shown.current === marked) return
    const index = items.findIndex((item) => item.kind === 'message' && item.message.id === marked.messageId)
    if (index === -1) return
    shown.current = marked
    leaveEnd()
    virtualizer.scrollToIndex(index, { align: 'center' })
  }, [items, marked, virtualizer, leaveEnd])
}

function Rows({
  items,
  contactName,
  marked,
  actions,
  virtualizer,
}: RowsProps & { virtualizer: TimelineVirtualizer }) {
  return (
    <div className="relative w-full flex-none" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((row) => {
        const item = items[row.index]
        if (!item) return null
        return (
          <div
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            data-message={item.kind === 'message' ? item.message.id : undefined}
            className="absolute top-0 left-0 w-full px-3 md:px-5"
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {item.kind === 'day' ? (
              <div className="flex justify-center pt-3 pb-2.5">
                <DayPill at={item.at} />
              </div>
            ) : item.kind === 'unread' ? (
              <UnreadDivider count={item.count} />
            ) : item.kind === 'queued' ? (
              <LineText icon={ListOrdered} text="Entrou na fila" at={item.at} />
            ) : (
              <MessageRow
                item={item}
                contactName={contactName}
                isMarked={item.message.id === marked?.messageId}
                actions={actions}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** The instant of the day being read, while its pill is scrolled away. */
function dayAbove(items: readonly TimelineItem[], virtualizer: TimelineVirtualizer): string | undefined {
  // After scrolling to the end of a short timeline, the virtualizer keeps an offset that was never reached.
  const farthest = Math.max(0, virtualizer.getTotalSize() - (virtualizer.scrollRect?.height ?? 0))
  const offset = Math.min(virtualizer.scrollOffset ?? 0, farthest)
  const top = virtualizer.getVirtualItemForOffset(offset + 8)
  if (!top || offset < 8) return undefined
  const day = items.slice(0, top.index + 1).findLast((item) => item.kind === 'day')
  return items[top.index] === day ? undefined : day?.at
}

type TimelineVirtualizer = ReturnType<typeof useTimelineVirtualizer>

/** @param heldKey the item whose row stays mounted wherever one scrolls */
function useTimelineVirtualizer(
  items: readonly TimelineItem[],
  scroller: RefObject<HTMLDivElement | null>,
  heldKey: string | undefined,
) {
  const held = heldKey === undefined ? -1 : items.findIndex(({ key }) => key === heldKey)
  return useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
    estimateSize: (index) => estimatedPx(items[index]),
    anchorTo: 'end',
    // `useEnd` follows: the virtualizer compares with its last scroll event, and so loses the end when
    // messages come faster than these.
    followOnAppend: false,
    scrollEndThreshold: endThresholdPx,
    overscan: 10,
    rangeExtractor: useCallback((range: Range) => withHeld(defaultRangeExtractor(range), held), [held]),
    paddingStart: 4,
    paddingEnd: 14,
  })
}

function withHeld(indexes: number[], held: number): number[] {
  return held === -1 || indexes.includes(held) ? indexes : [...indexes, held].sort((a, b) => a - b)
}

function estimatedPx(item: TimelineItem | undefined): number {
  if (!item || item.kind !== 'message') return 44
  return lookOf(item.message.messageType).height(item.message)
}

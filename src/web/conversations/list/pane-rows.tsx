import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { ConversationRow } from '#web/conversations/list/row/conversation-row.tsx'
import type { useSteadyRows } from './use-steady-rows.ts'

const rowPx = 56

/** Only one row is in the tab order, with its box and actions; the arrow keys move among the rows. */
export function PaneRows({
  rows,
  hold,
  openId,
  userId,
  unread,
  selection,
  nameOf,
}: {
  rows: readonly Conversation[]
  hold: ReturnType<typeof useSteadyRows>['hold']
  /** The conversation of the chat. */
  openId: number
  userId: number
  unread: (row: Conversation) => number
  selection: Selection
  /** The number of a row, if it is shown. */
  nameOf: (instanceId: number) => string | undefined
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const nowMs = useNow(30_000)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const open = rows.findIndex((row) => row.id === openId)
  useEffect(() => {
    if (open !== -1) virtualizer.scrollToIndex(open, { align: 'auto' })
  }, [open, virtualizer])
  const [focusedId, setFocusedId] = useState<number>()
  const focused = rows.findIndex((row) => row.id === focusedId)
  const tabStop = focused === -1 ? Math.max(open, 0) : focused

  const onArrow = (from: number, event: KeyboardEvent) => {
    const step = event.altKey ? 0 : arrowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(rows.length - 1, from + step))
    virtualizer.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"] a`)?.focus({ preventScroll: true }),
    )
  }
  return (
    <div ref={scroller} {...hold} className="min-h-0 flex-1 overflow-y-auto thin-scroll">
      <ul
        className={cn('relative', selection.isOn && 'mb-24')}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return (
            row && (
              <li
                key={item.key}
                data-index={item.index}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <ConversationRow
                  conversation={row}
                  number={nameOf(row.instanceId)}
                  unread={unread(row)}
                  isMine={row.assignedUserId === userId}
                  selection={selection}
                  isHere={row.id === openId}
                  tabIndex={item.index === tabStop ? 0 : -1}
                  nowMs={nowMs}
                  onFocus={() => setFocusedId(row.id)}
                  onKeyDown={(event) => onArrow(item.index, event)}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

/** 1 for the arrow down, -1 for the arrow up, otherwise 0. */
export function arrowStep(key: string) {
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

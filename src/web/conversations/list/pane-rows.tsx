import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import type { Selection } from '#web/conversations/selection/use-selection.ts'
import { ConversationRow } from '#web/conversations/list/row/conversation-row.tsx'
import type { useSteadyRows } from './use-steady-rows.ts'

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
  openId: number | undefined
  userId: number
  unread: (row: Conversation) => number
  selection: Selection
  /** The number of a row, if it is shown. */
  nameOf: (instanceId: number) => string | undefined
}) {
  const list = useRef<HTMLUListElement>(null)
  const nowMs = useNow(30_000)
  const open = rows.findIndex((row) => row.id === openId)
  const isListed = open !== -1
  useEffect(() => {
    if (isListed) list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [openId, isListed])
  const [focusedId, setFocusedId] = useState<number>()
  const focused = rows.findIndex((row) => row.id === focusedId)
  const tabStop = focused === -1 ? Math.max(open, 0) : focused

  const onArrow = (from: number, event: KeyboardEvent) => {
    const step = event.altKey ? 0 : arrowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(rows.length - 1, from + step))
    list.current?.children[to]?.querySelector<HTMLElement>('a')?.focus()
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto thin-scroll">
      <ul ref={list} {...hold} aria-label="Conversas ativas" className={cn(selection.isOn && 'mb-24')}>
        {rows.map((row, index) => (
          <li key={row.id}>
            <ConversationRow
              conversation={row}
              number={nameOf(row.instanceId)}
              unread={unread(row)}
              isMine={row.assignedUserId === userId}
              selection={selection}
              isHere={openId === undefined ? undefined : row.id === openId}
              tabIndex={index === tabStop ? 0 : -1}
              nowMs={nowMs}
              onFocus={() => setFocusedId(row.id)}
              onKeyDown={(event) => onArrow(index, event)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** 1 for the arrow down, -1 for the arrow up, otherwise 0. */
export function arrowStep(key: string) {
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
}

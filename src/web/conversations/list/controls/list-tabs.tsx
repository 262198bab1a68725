import { type ReactNode, useMemo } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isInTab, isSnoozed, type ListTab } from '#shared/conversations/list/list-view.ts'
import { cn } from '#web/ui/cn.ts'
import { countUnread } from '#web/conversations/mutations/reads.ts'
import { tabLabels, usualTabs } from './list-choices.ts'
import { TabButton } from './tab-button.tsx'

/**
 * 'Minhas', 'Fila', 'Todas', with how many wait in the queue, and in the others how many are unread; and
 * 'Em espera', with how many are, once there is one.
 */
export function ListTabs({
  tab,
  isElsewhere,
  onChange,
  rows,
  unread,
  userId,
  className,
  children,
}: {
  tab: ListTab
  /** Another part of the list is shown, a saved view. */
  isElsewhere: boolean
  onChange: (tab: ListTab) => void
  /** All open conversations. */
  rows: readonly Conversation[]
  unread: (row: Conversation) => number
  userId: number
  className: string
  /** Behind the tabs. */
  children?: ReactNode
}) {
  const isAnyOnHold = rows.some(isSnoozed)
  const tabs = useMemo(() => {
    const offered = isAnyOnHold ? [...usualTabs, 'snoozed' as const] : usualTabs
    return isElsewhere || offered.some((each) => each === tab) ? offered : [...offered, tab]
  }, [tab, isAnyOnHold, isElsewhere])
  const counts = useMemo(
    () =>
      tabs.map((each) => {
        const inTab = rows.filter((row) => isInTab(row, each, userId))
        return countsAll(each) ? inTab.length : countUnread(inTab, unread)
      }),
    [tabs, rows, unread, userId],
  )
  return (
    <div
      role="group"
      aria-label="Filtrar conversas"
      className={cn(
        'flex min-w-0 gap-3 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none]',
        'text-sm font-medium',
        className,
      )}
    >
      {tabs.map((each, at) => (
        <TabButton
          key={each}
          label={tabLabels[each]}
          count={counts[at] ?? 0}
          isTotal={countsAll(each)}
          isOn={!isElsewhere && each === tab}
          onClick={() => onChange(each)}
        />
      ))}
      {children}
    </div>
  )
}

/** How many there are, and not how many of them are unread. */
const countsAll = (tab: ListTab) => tab === 'queue' || tab === 'snoozed'

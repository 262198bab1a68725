import { useMemo } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isInTab, isSnoozed, type ListTab } from '#shared/conversations/list/list-view.ts'
import { CountBadge } from '#web/ui/badges/count-badge.tsx'
import { countUnread } from '#web/conversations/mutations/reads.ts'
import { tabLabels, usualTabs } from './list-choices.ts'

/**
 * 'Minhas', 'Fila', 'Todas', with how many wait in the queue, and in the others how many are unread; and
 * 'Em espera', with how many are, once there is one.
 */
export function ListTabs({
  tab,
  onChange,
  rows,
  unread,
  userId,
  className,
}: {
  tab: ListTab
  onChange: (tab: ListTab) => void
  /** All open conversations. */
  rows: readonly Conversation[]
  unread: (row: Conversation) => number
  userId: number
  className: string
}) {
  const isAnyOnHold = rows.some(isSnoozed)
  const tabs = useMemo(() => {
    const offered = isAnyOnHold ? [...usualTabs, 'snoozed' as const] : usualTabs
    return offered.some((each) => each === tab) ? offered : [...offered, tab]
  }, [tab, isAnyOnHold])
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
      className={`flex gap-3 border-b border-line text-sm font-medium ${className}`}
    >
      {tabs.map((each, at) => (
        <TabButton
          key={each}
          label={tabLabels[each]}
          count={counts[at] ?? 0}
          isTotal={countsAll(each)}
          isOn={each === tab}
          onClick={() => onChange(each)}
        />
      ))}
    </div>
  )
}

/** How many there are, and not how many of them are unread. */
const countsAll = (tab: ListTab) => tab === 'queue' || tab === 'snoozed'

const chosenTabLook = [
  'font-semibold text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5',
  'after:rounded-[1px] after:bg-accent',
].join(' ')

function TabButton({
  label,
  count,
  isTotal,
  isOn,
  onClick,
}: {
  label: string
  count: number
  /** Whether all conversations are counted, or those with unread messages. */
  isTotal: boolean
  isOn: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`relative inline-flex h-10 items-center gap-1.5 whitespace-nowrap ${
        isOn ? chosenTabLook : 'text-ink-2 hover:text-ink'
      }`}
    >
      {label}
      {/* As wide as most counts: what stands behind does not move when they come. */}
      <span className="inline-flex min-w-6">
        {isTotal ? (
          count > 0 && (
            <span className="text-xs font-medium text-ink-3 tabular-nums">
              {count}
              <span className="sr-only">{count === 1 ? ' conversa' : ' conversas'}</span>
            </span>
          )
        ) : (
          <CountBadge
            count={count}
            label={count === 1 ? '1 conversa não lida' : `${count} conversas não lidas`}
          />
        )}
      </span>
    </button>
  )
}

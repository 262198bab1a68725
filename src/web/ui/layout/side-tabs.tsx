import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { cn } from '#web/ui/cn.ts'
import { showWithin } from './show-within.ts'

interface SideGroup {
  title: string
  tabs: readonly { value: string; label: ReactNode }[]
}

/** How the list had the focus when it was last taken away, for the one that takes its place. */
let focusLeft: 'pressed' | 'typed' | undefined

/**
 * A list of tabs in groups, at the side of the panel from 1200 px on and above it below that. It keeps the
 * focus when a tab leads to another screen that has the same list.
 */
export function SideTabs({
  label,
  groups,
  value,
  isWide,
  above,
  isListHidden = false,
  onChange,
  children,
}: {
  /** Accessible name of the list. */
  label: string
  groups: readonly SideGroup[]
  value: string
  /** Whether the window has at least 1200 px. */
  isWide: boolean
  /** Above the list. */
  above: ReactNode
  /** What stands above takes the place of the list. */
  isListHidden?: boolean
  onChange: (value: string) => void
  /** The panel of the chosen tab. */
  children: ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const mine = list.current
    const chosen = mine?.querySelector<HTMLElement>('[data-state=active]')
    if (focusLeft === 'pressed') mine?.setAttribute('data-pressed', '')
    if (focusLeft) chosen?.focus({ preventScroll: true })
    focusLeft = undefined
    return () => {
      if (mine?.contains(document.activeElement))
        focusLeft = mine.hasAttribute('data-pressed') ? 'pressed' : 'typed'
    }
  }, [])
  useEffect(() => {
    const chosen = list.current?.querySelector('[data-state=active]')
    if (list.current && chosen) showWithin(list.current, chosen)
  }, [value])
  return (
    // Focus alone does not choose a tab: the one that is left may have unsaved changes.
    <Radix.Root
      value={value}
      onValueChange={onChange}
      activationMode="manual"
      orientation={isWide ? 'vertical' : 'horizontal'}
      className="flex grow flex-col lg:grid lg:grid-cols-[184px_minmax(0,1fr)] lg:gap-x-6"
    >
      <div className="min-w-0 lg:border-r lg:border-line lg:pr-3">
        <div className="lg:sticky lg:top-0">
          {above}
          <Radix.List
            ref={list}
            aria-label={label}
            hidden={isListHidden}
            // The focus that a press of the mouse leaves is no keyboard's, whatever the browser takes it for.
            onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pressed', '')}
            onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
            onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
            className={cn(
              'group/tabs flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]',
              'lg:flex-col lg:gap-0.5 lg:overflow-visible lg:border-b-0',
              isListHidden && 'hidden',
            )}
          >
            {groups.flatMap((group) => [
              <span
                key={group.title}
                aria-hidden
                className="px-2.5 pt-3 pb-1 text-xs font-medium text-ink-3 first:pt-1 max-lg:hidden"
              >
                {group.title}
              </span>,
              ...group.tabs.map((tab) => <SideTab key={tab.value} {...tab} />),
            ])}
          </Radix.List>
        </div>
      </div>
      <Radix.Content value={value} className="flex min-w-0 grow flex-col outline-none">
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

function SideTab({ value, label }: SideGroup['tabs'][number]) {
  return (
    <Radix.Trigger
      value={value}
      className={[
        'relative inline-flex h-10 shrink-0 items-center gap-1.5 text-sm -outline-offset-2',
        'group-data-pressed/tabs:outline-none',
        'font-medium whitespace-nowrap text-ink-2 hover:text-ink',
        'data-[state=active]:font-semibold data-[state=active]:text-ink',
        'data-[state=active]:after:absolute data-[state=active]:after:rounded-full',
        'data-[state=active]:after:bg-accent',
        'max-lg:data-[state=active]:after:inset-x-0 max-lg:data-[state=active]:after:bottom-0',
        'max-lg:data-[state=active]:after:h-0.5',
        'lg:h-8 lg:w-full lg:rounded-control lg:px-2.5 lg:text-left lg:hover:bg-hover',
        'lg:data-[state=active]:bg-selected lg:data-[state=active]:after:inset-y-1.5',
        'lg:data-[state=active]:after:left-0 lg:data-[state=active]:after:w-[3px]',
      ].join(' ')}
    >
      {label}
    </Radix.Trigger>
  )
}

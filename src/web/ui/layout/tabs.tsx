import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { showWithin } from './show-within.ts'

/** Tabs with a line under the chosen one; `children` is its panel, which fills the page. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  /** Accessible name of the tab list. */
  label: string
  tabs: readonly { value: string; label: ReactNode }[]
  value: string
  onChange?: (value: string) => void
  children: ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chosen = list.current?.querySelector('[data-state=active]')
    if (list.current && chosen) showWithin(list.current, chosen)
  }, [value])
  return (
    // Focus alone does not choose a tab: the one that is left may have unsaved changes.
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange?.(next)}
      activationMode="manual"
      className="flex grow flex-col"
    >
      <Radix.List
        ref={list}
        aria-label={label}
        // The focus that a press of the mouse leaves is no keyboard's, whatever the browser takes it for.
        onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pressed', '')}
        onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
        onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pressed')}
        className="group/tabs flex shrink-0 gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={[
              'group-data-pressed/tabs:outline-none',
              'relative inline-flex h-10 shrink-0 items-center gap-1.5 text-sm',
              'font-medium whitespace-nowrap text-ink-2 -outline-offset-2 hover:text-ink',
              'data-[state=active]:font-semibold data-[state=active]:text-ink',
              'data-[state=active]:after:absolute data-[state=active]:after:inset-x-0',
              'data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5',
              'data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent',
            ].join(' ')}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} className="flex grow flex-col outline-none">
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

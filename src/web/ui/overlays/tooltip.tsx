import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** The child must accept a ref and props: a button, a link. Needs a `UiProvider` above it. */
export function Tooltip({
  label,
  side = 'top',
  isLabelling = false,
  children,
}: {
  label: ReactNode
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** The label is the child's name already, so it is not announced a second time. */
  isLabelling?: boolean
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild {...(isLabelling && { 'aria-describedby': undefined })}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="animate-fade z-50 max-w-80 rounded-[6px] bg-ink px-2 py-[5px] text-xs text-ink-inverse"
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

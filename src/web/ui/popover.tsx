import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Something more about what was pressed, beside it. Esc and a click elsewhere close it. */
export function Popover({
  trigger,
  label,
  children,
}: {
  /** A button. */
  trigger: ReactNode
  label: string
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          sideOffset={6}
          collisionPadding={8}
          className="animate-pop z-50 max-h-(--radix-popover-content-available-height) w-max max-w-[min(360px,calc(100vw-16px))] overflow-y-auto rounded-card bg-surface p-3 text-sm text-ink shadow-float outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

import { Slot } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { onDemand } from '#web/ui/on-demand.tsx'

const PopoverContent = onDemand(async () => (await import('./popover-content.tsx')).PopoverContent)

/** Details beside the element that was pressed. Escape and a click elsewhere close it. */
export function Popover({
  trigger,
  anchor,
  label,
  isOpen,
  onOpenChange,
  onClosed,
  children,
}: {
  /** A button. */
  trigger?: ReactNode
  /** Anchor when something else opens it. */
  anchor?: ReactNode
  label: string
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** Called after its button has the focus again; may move the focus. */
  onClosed?: (() => void) | undefined
  children: ReactNode
}) {
  const [isOpenItself, setOpenItself] = useState(false)
  const place = useRef<HTMLElement>(null)
  const isShown = isOpen ?? isOpenItself
  const show = (next: boolean) => {
    setOpenItself(next)
    onOpenChange?.(next)
  }
  return (
    <>
      {anchor && <Slot.Root ref={place}>{anchor}</Slot.Root>}
      {trigger && (
        <Slot.Root ref={place} onClick={() => show(!isShown)} aria-haspopup="dialog" aria-expanded={isShown}>
          {trigger}
        </Slot.Root>
      )}
      {isShown && (
        <PopoverContent
          place={place}
          isToggle={trigger !== undefined}
          label={label}
          onClose={() => show(false)}
          onClosed={onClosed}
        >
          {children}
        </PopoverContent>
      )}
    </>
  )
}

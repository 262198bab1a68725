import { Popover as Radix } from 'radix-ui'
import { type ReactNode, type RefObject, useRef } from 'react'
import { cn } from '#web/ui/cn.ts'

const defaultSize = [
  'max-h-(--radix-popover-content-available-height) w-max',
  'max-w-[min(360px,calc(100vw-16px))] overflow-y-auto p-3',
].join(' ')

/** Content beside an anchor. Escape and a press elsewhere close it. */
export function PopoverContent({
  place,
  isToggle,
  label,
  onClose,
  onClosed,
  align = 'center',
  className = defaultSize,
  children,
}: {
  place: RefObject<HTMLElement | null>
  /** A press on the anchor closes it on its own. */
  isToggle: boolean
  label: string
  onClose: () => void
  /** Called after its button has the focus again. */
  onClosed?: (() => void) | undefined
  align?: 'start' | 'center' | 'end'
  /** Size and padding. */
  className?: string
  children: ReactNode
}) {
  const isLeftOutside = useRef(false)
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Anchor virtualRef={place as RefObject<HTMLElement>} />
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            if (isToggle && event.target instanceof Node && place.current?.contains(event.target))
              event.preventDefault()
            else isLeftOutside.current = true
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!isLeftOutside.current) buttonOf(place.current)?.focus()
            onClosed?.()
          }}
          className={cn(
            'animate-pop z-50 rounded-card bg-surface text-sm text-ink shadow-float outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function buttonOf(place: HTMLElement | null) {
  return place?.matches('button') ? place : place?.querySelector('button')
}

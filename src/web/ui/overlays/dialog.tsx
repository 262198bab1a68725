import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { dialogGround, dialogLook } from './dialog-look.ts'
import { useReturnFocus } from './return-focus.ts'

/** Centred; a sheet from below on small screens. Traps the focus and returns it. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  footer,
  className,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** The buttons at the right of the footer. */
  footer?: ReactNode
  className?: string
  children?: ReactNode
}) {
  const returnFocus = useReturnFocus()
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogGround}>
          <Radix.Content
            {...returnFocus}
            className={cn('relative', dialogLook, className)}
            // Something inside may handle Escape first.
            onEscapeKeyDown={(event) => {
              if (event.target instanceof Element && event.target.closest('[data-takes-escape]'))
                event.preventDefault()
            }}
            {...(description === undefined && { 'aria-describedby': undefined })}
          >
            <div className="pt-4 pr-12 pb-3.5 pl-5">
              <Radix.Title className="text-lg font-semibold tracking-title">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-0.5 text-sm text-ink-2">{description}</Radix.Description>
              )}
            </div>
            <div className="grid gap-3.5 overflow-auto px-5 pt-0.5 pb-5">{children}</div>
            {footer && (
              <div className="flex items-center justify-end gap-2 border-t border-line bg-sunken px-5 py-3">
                {footer}
              </div>
            )}
            {/* Last, so that the first field gets the focus. A tooltip would consume the first Esc. */}
            <Radix.Close
              aria-label="Fechar"
              className={[
                'absolute top-3.5 right-3 inline-grid size-7 place-items-center',
                'rounded-control text-ink-2 hover:bg-hover hover:text-ink',
              ].join(' ')}
            >
              <X size={16} aria-hidden />
            </Radix.Close>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

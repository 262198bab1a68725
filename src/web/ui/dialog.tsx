import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { dialogGround, dialogLook } from './dialog-look.ts'
import { IconButton } from './icon-button.tsx'

/** In the middle of the screen; a sheet from below on small ones. Traps the focus and gives it back. */
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
  /** The buttons, at the right of the foot. */
  footer?: ReactNode
  className?: string
  children?: ReactNode
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogGround}>
          <Radix.Content
            className={cn(dialogLook, className)}
            {...(description === undefined && { 'aria-describedby': undefined })}
          >
            <div className="flex items-start gap-3 pt-4 pr-3 pb-3.5 pl-5">
              <div className="min-w-0 flex-1">
                <Radix.Title className="text-lg font-semibold tracking-title">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-0.5 text-sm text-ink-2">{description}</Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <IconButton label="Fechar" icon={X} size="sm" />
              </Radix.Close>
            </div>
            <div className="grid gap-3.5 overflow-auto px-5 pt-0.5 pb-5">{children}</div>
            {footer && (
              <div className="flex items-center justify-end gap-2 border-t border-line bg-sunken px-5 py-3">
                {footer}
              </div>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

import { AlertDialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { dialogGround, dialogLook } from './dialog-look.ts'

/** The question before what cannot be undone; `description` names what will be lost. */
export function ConfirmDialog({
  isOpen,
  onClose,
  onConfirm,
  title,
  description,
  confirmLabel,
  busyLabel,
  isBusy = false,
}: {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  description: ReactNode
  confirmLabel: string
  /** 'Excluindo...' */
  busyLabel: string
  isBusy?: boolean
}) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={dialogGround}>
          <Radix.Content className={cn(dialogLook, 'p-4 md:max-w-[400px]')}>
            <Radix.Title className="text-lg font-semibold tracking-title">{title}</Radix.Title>
            <Radix.Description className="mt-1 mb-3.5 text-sm text-pretty text-ink-2">
              {description}
            </Radix.Description>
            <div className="flex justify-end gap-2">
              <Radix.Cancel asChild>
                <Button disabled={isBusy}>Cancelar</Button>
              </Radix.Cancel>
              <Button variant="dangerSolid" isBusy={isBusy} busyLabel={busyLabel} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

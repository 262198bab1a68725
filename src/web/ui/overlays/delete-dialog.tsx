import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before something is deleted; the children say what is lost. */
export function DeleteDialog({
  title,
  description,
  isDeleting,
  onDelete,
  onClose,
  notice,
  children,
}: {
  title: string
  description?: ReactNode
  isDeleting: boolean
  onDelete: () => void
  onClose: () => void
  /** Below what is lost: what has changed since it was asked. */
  notice?: ReactNode
  children: ReactNode
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            icon={Trash2}
            isBusy={isDeleting}
            busyLabel="Excluindo..."
            onClick={onDelete}
          >
            Excluir
          </Button>
        </>
      }
    >
      <p className="text-sm">{children}</p>
      {notice}
    </Dialog>
  )
}

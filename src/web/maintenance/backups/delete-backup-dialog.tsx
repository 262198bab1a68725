import { Trash2 } from 'lucide-react'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { useDeleteBackup } from '#web/maintenance/queries.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Asks before a backup is deleted, and says what is lost with it. */
export function DeleteBackupDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const { mutate, isPending } = useDeleteBackup({ onDone: onClose })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Apagar backup?"
      description={<span dir="auto">{backup.name}</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            icon={Trash2}
            isBusy={isPending}
            busyLabel="Apagando..."
            onClick={() => mutate(backup.id)}
          >
            Apagar
          </Button>
        </>
      }
    >
      <p className="text-sm">
        {backup.status === 'completed'
          ? 'O arquivo some daqui, e não há mais como restaurar o que só ele guarda. ' +
            'Os dados em uso não mudam. Se precisar dele depois, baixe-o antes.'
          : 'Só o registro da falha some. Os dados em uso não mudam.'}
      </p>
    </Dialog>
  )
}

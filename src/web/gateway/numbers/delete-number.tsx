import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useDeleteNumber } from './queries.ts'

/** Deletes a number that is no longer wanted, after a question; a refusal of the server is reported in it. */
export function DeleteNumber({ number: { id, instanceName } }: { number: ManagedNumber }) {
  const [isAsked, setAsked] = useState(false)
  const remove = useDeleteNumber()
  const close = () => {
    setAsked(false)
    remove.reset()
  }
  // Awaits the promise rather than using callbacks: without the number, this is shown no longer. The dialog
  // shows a refusal.
  const run = () =>
    remove.mutateAsync(id).then(
      () => toast({ title: 'Número excluído', description: `${instanceName} não é mais usado.` }),
      () => undefined,
    )
  return (
    <SettingsSection
      title="Excluir número"
      description="Para parar por um tempo, desligue “Conexão ativa” acima e salve."
    >
      <Button variant="danger" icon={Trash2} onClick={() => setAsked(true)}>
        Excluir número
      </Button>
      <Dialog
        isOpen={isAsked}
        onClose={close}
        title="Excluir número"
        description={<span className="wrap-anywhere">{instanceName}</span>}
        footer={
          <>
            <Button onClick={close}>Cancelar</Button>
            <Button
              variant="dangerSolid"
              icon={Trash2}
              isBusy={remove.isPending}
              busyLabel="Excluindo..."
              onClick={() => void run()}
            >
              Excluir
            </Button>
          </>
        }
      >
        <div className="grid gap-2.5 text-sm">
          <p>
            Nada mais chega nem sai por <b className="wrap-anywhere">{instanceName}</b>, e o que era próprio
            dele é apagado. As conversas finalizadas ficam no arquivo. Na Evolution API a instância continua.
          </p>
          <p>Para tê-lo de volta, adicione um número com o mesmo nome de instância.</p>
          {remove.error && (
            <p role="alert" className="rounded-control bg-red-soft px-3 py-2 text-red-text">
              {remove.error.message}
            </p>
          )}
        </div>
      </Dialog>
    </SettingsSection>
  )
}

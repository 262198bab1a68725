import { LogOut } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Asks before a number leaves WhatsApp. */
export function LeaveDialog({
  isOpen,
  number,
  isBusy,
  onLeave,
  onClose,
}: {
  isOpen: boolean
  /** As people know it. */
  number: string
  isBusy: boolean
  onLeave: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Sair do WhatsApp"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="dangerSolid" icon={LogOut} isBusy={isBusy} busyLabel="Saindo..." onClick={onLeave}>
            Sair do WhatsApp
          </Button>
        </>
      }
    >
      <p className="text-sm">
        O número <b>{number}</b> deixa de receber e de enviar mensagens até alguém ler um QR code de novo com
        o celular dele. As conversas ficam como estão, e o que for escrito espera.
      </p>
    </Dialog>
  )
}

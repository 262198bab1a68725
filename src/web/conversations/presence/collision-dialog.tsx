import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

export function CollisionDialog({
  words,
  onClose,
  onSend,
}: {
  /** What a colleague is doing: 'Bruno está digitando'. */
  words: string
  onClose: () => void
  onSend: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${words}. Enviar mesmo assim?`}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" onClick={onSend}>
            Enviar
          </Button>
        </>
      }
    />
  )
}

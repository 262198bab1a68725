import type { Leaving } from '#web/platform/browser/leaving.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/** Shown before unsaved changes are lost. */
export function LeaveDialog({ leaving }: { leaving: Leaving }) {
  return (
    <Dialog
      isOpen={leaving.isAsked}
      onClose={leaving.stay}
      title="Sair sem salvar?"
      description="As mudanças desta página ainda não foram salvas e serão perdidas."
      footer={
        <>
          <Button variant="ghost" onClick={leaving.leave}>
            Sair sem salvar
          </Button>
          <Button variant="primary" onClick={leaving.stay}>
            Continuar editando
          </Button>
        </>
      }
    />
  )
}

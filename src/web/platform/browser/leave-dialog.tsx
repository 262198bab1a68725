import type { Leaving } from '#web/platform/browser/leaving.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

const ofChanges = {
  title: 'Sair sem salvar?',
  description: 'As mudanças desta página ainda não foram salvas e serão perdidas.',
  leave: 'Sair sem salvar',
  stay: 'Continuar editando',
}

/** Shown before something is lost; by default unsaved changes. */
export function LeaveDialog({ leaving, words = ofChanges }: { leaving: Leaving; words?: typeof ofChanges }) {
  return (
    <Dialog
      isOpen={leaving.isAsked}
      onClose={leaving.stay}
      title={words.title}
      description={words.description}
      footer={
        <>
          {/* First, so that it has the focus: whoever presses Enter loses nothing. */}
          <Button variant="primary" className="order-last" onClick={leaving.stay}>
            {words.stay}
          </Button>
          <Button variant="ghost" onClick={leaving.leave}>
            {words.leave}
          </Button>
        </>
      }
    />
  )
}

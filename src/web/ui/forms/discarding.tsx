import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

/**
 * Closes a dialog, and asks first while something that was typed in it would be lost.
 * @returns how it is closed by hand, and the question, for among its children
 */
export function useDiscard(
  hasTyped: boolean,
  onClose: () => void,
): { close: () => void; isAsked: boolean; question: ReactNode } {
  const [isAsked, setAsked] = useState(false)
  const stay = () => setAsked(false)
  return {
    close: () => (hasTyped ? setAsked(true) : onClose()),
    isAsked,
    question: isAsked && (
      <Dialog
        isOpen
        onClose={stay}
        title="Descartar o que você escreveu?"
        footer={
          <>
            <Button variant="ghost" onClick={onClose}>
              Descartar
            </Button>
            <Button variant="primary" onClick={stay}>
              Continuar editando
            </Button>
          </>
        }
      />
    ),
  }
}

import { Undo2 } from 'lucide-react'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { counted } from '#web/contacts/import/import-texts.ts'

/** Asks before an import is undone, and says what is lost. */
export function UndoDialog({
  job: { fileName, created, updated },
  onClose,
  onUndo,
}: {
  job: ContactImport
  onClose: () => void
  onUndo: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Desfazer a importação?"
      description={fileName}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="dangerSolid" icon={Undo2} onClick={onUndo}>
            Desfazer
          </Button>
        </>
      }
    >
      <p className="text-sm">
        Dos {counted(created, 'contato novo', 'contatos novos')}, os que não têm conversa serão excluídos.
        {updated > 0 &&
          ` ${counted(updated, 'linha atualizou um contato', 'linhas atualizaram contatos')}: ` +
            'volta a ser como era o que ninguém mudou desde então.'}
      </p>
    </Dialog>
  )
}

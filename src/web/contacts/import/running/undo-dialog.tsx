import { Undo2 } from 'lucide-react'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { counted, figure } from '#web/contacts/import/import-texts.ts'

/** Asks before an import is undone, and says what is lost. */
export function UndoDialog({
  job: { fileName, created, updated, ownCompanies },
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
      <div className="grid gap-2 text-sm">
        {created > 0 && (
          <p>
            {created === 1
              ? 'O contato novo será excluído, se não tiver conversa.'
              : `Dos ${figure(created)} contatos novos, os que não têm conversa serão excluídos.`}
          </p>
        )}
        {updated > 0 && (
          <p>
            {counted(updated, 'linha atualizou um contato', 'linhas atualizaram contatos')}: volta a ser como
            era o que ninguém mudou desde então.
          </p>
        )}
        {ownCompanies > 0 && (
          <p>
            {ownCompanies === 1
              ? '1 empresa que veio com ela, e que ninguém mais usa, será excluída também.'
              : `${figure(ownCompanies)} empresas que vieram com ela, e que ninguém mais usa, ` +
                'serão excluídas também.'}
          </p>
        )}
      </div>
    </Dialog>
  )
}

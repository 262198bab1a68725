import { Trash2 } from 'lucide-react'
import type { Company } from '#shared/companies.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useDeleteCompany } from './queries.ts'

/** 'Excluir Empresa': says what becomes of the company's contacts. */
export function DeleteCompanyDialog({
  company: { id, name, contactCount },
  onClose,
}: {
  company: Company
  onClose: () => void
}) {
  const { mutateAsync, isPending } = useDeleteCompany()
  const remove = () =>
    mutateAsync(id).then(
      () => {
        toast({ tone: 'success', title: 'Empresa excluída com sucesso' })
        onClose()
      },
      (error: unknown) => {
        const message = (error instanceof ApiError && error.userMessage) || 'Erro desconhecido'
        toast({ tone: 'error', title: `Falha ao excluir empresa: ${message}` })
      },
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Excluir Empresa"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="dangerSolid"
            icon={Trash2}
            isBusy={isPending}
            busyLabel="Excluindo..."
            onClick={() => void remove()}
          >
            Excluir
          </Button>
        </>
      }
    >
      <p className="text-sm">
        Excluir{' '}
        <b className="font-medium" dir="auto">
          {name}
        </b>
        ? {lossOf(contactCount)}Esta ação é irreversível.
      </p>
    </Dialog>
  )
}

function lossOf(contacts: number | undefined): string {
  if (contacts === 0) return ''
  if (contacts === undefined) return 'Os contatos dela ficam sem empresa. '
  return contacts === 1 ? 'O contato dela fica sem empresa. ' : `Os ${contacts} contatos ficam sem empresa. `
}

import type { Company } from '#shared/contacts/companies.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
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
        const message = reasonOf(error)
        toast({ tone: 'error', title: `Falha ao excluir empresa: ${message}` })
      },
    )
  return (
    <DeleteDialog
      title="Excluir Empresa"
      isDeleting={isPending}
      onDelete={() => void remove()}
      onClose={onClose}
    >
      Excluir{' '}
      <b className="font-medium" dir="auto">
        {name}
      </b>
      ? {lossOf(contactCount)}Esta ação é irreversível.
    </DeleteDialog>
  )
}

function lossOf(contacts: number | undefined): string {
  if (contacts === 0) return ''
  if (contacts === undefined) return 'Os contatos dela ficam sem empresa. '
  return contacts === 1 ? 'O contato dela fica sem empresa. ' : `Os ${contacts} contatos ficam sem empresa. `
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type SyntheticEvent } from 'react'
import { type CompanyOption, createCompany, maxCompanyName } from '#shared/contacts/companies.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { companyQueries } from './queries.ts'

/** 'Criar Nova Empresa': asks for the name. */
export function CreateCompanyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (company: CompanyOption) => void
}) {
  const form = useId()
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (named: string) => call(createCompany, { body: { name: named } }),
    onSuccess: (company) => {
      void client.invalidateQueries({ queryKey: companyQueries.options().queryKey })
      toast({ tone: 'success', title: 'Empresa criada', description: company.name })
      onCreated(company)
      onClose()
    },
    onError: (error) => {
      const message = error instanceof ApiError && error.status < 500 ? error.userMessage : undefined
      if (message !== undefined) setRefusal(message)
      toast({
        tone: 'error',
        title: 'Erro ao criar empresa. Tente novamente.',
        ...(message && { description: message }),
      })
    },
  })
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    // React passes events through the portal: the submit must not reach the form around the chooser.
    event.stopPropagation()
    if (name.trim() !== '' && !isPending) mutate(name.trim())
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Criar Nova Empresa"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            disabled={name.trim() === ''}
            isBusy={isPending}
            busyLabel="Criando..."
          >
            Criar
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={onSubmit}>
        <Field label="Nome da Empresa" error={refusal}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={maxCompanyName}
              autoComplete="off"
              onChange={(event) => {
                setName(event.target.value)
                setRefusal(undefined)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type SyntheticEvent } from 'react'
import { type CompanyOption, createCompany, maxCompanyName } from '#shared/companies.ts'
import { ApiError, call } from '#web/platform/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { companyQueries } from './queries.ts'

/** 'Criar Nova Empresa': a name, and what it is for is told by `onCreated`. */
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
      const said = error instanceof ApiError && error.status < 500 ? error.said : undefined
      if (said !== undefined) setRefusal(said)
      toast({
        tone: 'error',
        title: 'Erro ao criar empresa. Tente novamente.',
        ...(said && { description: said }),
      })
    },
  })
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    // It stands above the chat in the tree, and its form is nobody else's.
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

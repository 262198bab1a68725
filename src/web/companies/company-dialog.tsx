import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { type Company, companyForm } from '#shared/contacts/companies.ts'
import { phoneAsTyped } from '#shared/text/phone.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useSaveCompany } from './queries.ts'

type Values = Required<z.output<typeof companyForm>>

/** 'Nova Empresa', or 'Editar Empresa' of the given company, as it is now. */
export function CompanyDialog({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const save = useSaveCompany(company?.id)
  const {
    register,
    control,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields },
  } = useForm({ resolver: zodResolver(companyForm), defaultValues: valuesOf(company) })
  const submit = handleSubmit((values) =>
    save.mutateAsync(company ? { ...pickDirty(values), updatedAt: company.updatedAt } : filled(values)).then(
      () => {
        toast({
          tone: 'success',
          title: company ? 'Empresa atualizada com sucesso' : 'Empresa criada com sucesso',
        })
        onClose()
      },
      (error: unknown) => {
        const message = reasonOf(error)
        if (error instanceof ApiError && error.code === 'companies.duplicate')
          setError('name', { message }, { shouldFocus: true })
        else if (error instanceof ApiError && error.fields['phone'])
          setError('phone', { message }, { shouldFocus: true })
        toast({
          tone: 'error',
          title: company ? `Falha ao atualizar empresa: ${message}` : `Falha ao criar empresa: ${message}`,
        })
      },
    ),
  )
  const pickDirty = (values: z.output<typeof companyForm>) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => dirtyFields[field as keyof Values]))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={company ? 'Editar Empresa' : 'Nova Empresa'}
      footer={<FormFooter form="company" isBusy={save.isPending} onCancel={onClose} />}
    >
      <form id="company" noValidate className="grid gap-3.5" onSubmit={(event) => void submit(event)}>
        <Field label="Nome da Empresa *" error={errors.name?.message}>
          {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
        </Field>
        <div className="grid items-start gap-3.5 md:grid-cols-2">
          <Field label="Telefone" error={errors.phone?.message}>
            {(field) => <Input {...field} {...register('phone')} type="tel" autoComplete="off" />}
          </Field>
          <Field label="Responsável" error={errors.responsibleName?.message}>
            {(field) => <Input {...field} {...register('responsibleName')} autoComplete="off" />}
          </Field>
        </div>
        <Controller
          control={control}
          name="isActive"
          render={({ field }) => (
            <span className="flex items-center gap-2 text-sm">
              <Switch id="is-active" checked={field.value ?? true} onCheckedChange={field.onChange} />
              <label htmlFor="is-active">Ativa</label>
              <span className="text-ink-3">uma inativa não é oferecida aos contatos</span>
            </span>
          )}
        />
      </form>
    </Dialog>
  )
}

/** Without what was left empty. @see specification §5 Company form */
const filled = ({ phone, responsibleName, ...values }: z.output<typeof companyForm>) => ({
  ...values,
  ...(phone && { phone }),
  ...(responsibleName && { responsibleName }),
})

const valuesOf = (company: Company | undefined): Values => ({
  name: company?.name ?? '',
  phone: company?.phone ? phoneAsTyped(company.phone) : '',
  responsibleName: company?.responsibleName ?? '',
  isActive: company?.isActive ?? true,
})

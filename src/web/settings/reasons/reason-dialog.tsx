import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { type ManagedReason, reasonForm, reasonLimits } from '#shared/reasons/managed-reasons.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useSaveReason } from './queries.ts'

/** A new reason, one within another, or the given one. */
export function ReasonDialog({
  reason,
  parent,
  onClose,
}: {
  /** undefined: a new one. */
  reason: ManagedReason | undefined
  parent: ManagedReason | undefined
  onClose: () => void
}) {
  const form = useId()
  const save = useSaveReason(reason?.id)
  const { living, areAny, find } = useSectors()
  const { register, control, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(reasonForm),
    defaultValues: { name: reason?.name ?? '', sectorId: reason?.sectorId ?? null },
  })
  const { errors, dirtyFields } = formState
  const submit = handleSubmit(({ name, sectorId }) => {
    const ofFirst = parent === undefined
    const body = reason
      ? {
          name,
          ...(ofFirst && dirtyFields.sectorId && { sectorId }),
          version: reason.version,
        }
      : { name, ...(ofFirst ? { sectorId } : { parentId: parent.id }) }
    return save.mutateAsync(body).then(
      () => {
        toast({ tone: 'success', title: reason ? 'Motivo salvo' : 'Motivo criado' })
        onClose()
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code?.startsWith('reasons.duplicate'))
          setError('name', { message: error.message }, { shouldFocus: true })
        else toast({ tone: 'error', title: `O motivo não foi salvo: ${reasonOf(error)}` })
      },
    )
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={reason ? 'Editar motivo' : parent ? 'Novo motivo' : 'Novo motivo'}
      description={parent ? `Em ${parent.name}` : 'De primeiro nível'}
      footer={<FormFooter form={form} isBusy={formState.isSubmitting} onCancel={onClose} />}
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-3.5">
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => (
            <Input
              {...field}
              {...register('name')}
              maxLength={reasonLimits.name}
              placeholder={parent ? 'Segunda via' : 'Financeiro'}
              autoComplete="off"
              dir="auto"
            />
          )}
        </Field>
        {areAny && !parent && (
          <Field label="Setor" hint="Os motivos de dentro são do mesmo setor.">
            {(field) => (
              <Controller
                control={control}
                name="sectorId"
                render={({ field: { value, onChange } }) => (
                  <SectorSelect
                    {...field}
                    sectors={living}
                    chosen={value === null ? undefined : find(value)}
                    noneLabel="Todos os setores"
                    onChoose={onChange}
                  />
                )}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  )
}

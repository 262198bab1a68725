import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { sectorPalette } from '#shared/sectors/managed-sectors.ts'
import { type ManagedTag, tagForm, tagLimits } from '#shared/tags/managed-tags.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { ColorChoice } from '#web/settings/sectors/choices/color-choice.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { useSaveTag } from './queries.ts'

/** A new tag, or the given one. */
export function TagDialog({ tag, onClose }: { tag: ManagedTag | undefined; onClose: () => void }) {
  const form = useId()
  const save = useSaveTag(tag?.id)
  const { living, areAny, find } = useSectors()
  const managesAll = useCan('manageAllTags')
  const led = new Set(useMe().sectors.flatMap(({ id, isLead }) => (isLead ? id : [])))
  const sectors = managesAll ? living : living.filter(({ id }) => led.has(id))
  const { register, control, handleSubmit, setError, watch, formState } = useForm({
    resolver: zodResolver(tagForm),
    defaultValues: {
      name: tag?.name ?? '',
      color: tag?.color ?? sectorPalette[0],
      sectorId: tag ? tag.sectorId : managesAll ? null : (sectors[0]?.id ?? null),
    },
  })
  const { errors } = formState
  const submit = handleSubmit((body) =>
    save.mutateAsync({ ...body, ...(tag && { version: tag.version }) }).then(
      () => {
        toast({ tone: 'success', title: tag ? 'Etiqueta salva' : 'Etiqueta criada' })
        onClose()
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code?.startsWith('tags.duplicate'))
          setError('name', { message: error.message }, { shouldFocus: true })
        else toast({ tone: 'error', title: `A etiqueta não foi salva: ${reasonOf(error)}` })
      },
    ),
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={tag ? 'Editar etiqueta' : 'Nova etiqueta'}
      description="De conversas"
      footer={<FormFooter form={form} isBusy={formState.isSubmitting} onCancel={onClose} />}
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-3.5">
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => (
            <Input
              {...field}
              {...register('name')}
              maxLength={tagLimits.name}
              placeholder="Urgente"
              autoComplete="off"
              dir="auto"
            />
          )}
        </Field>
        <div className="grid gap-1.5">
          <span className="text-sm font-medium">Cor</span>
          <Controller
            control={control}
            name="color"
            render={({ field: { value, onChange } }) => <ColorChoice value={value} onChoose={onChange} />}
          />
          <span className="flex min-h-6">
            <CategoryBadge color={watch('color')}>{watch('name').trim() || 'Etiqueta'}</CategoryBadge>
          </span>
        </div>
        {areAny && (
          <Field label="Setor" hint="Só nas conversas dele; as que já a têm a mantêm.">
            {(field) => (
              <Controller
                control={control}
                name="sectorId"
                render={({ field: { value, onChange } }) => (
                  <SectorSelect
                    {...field}
                    sectors={sectors}
                    chosen={value === null ? undefined : find(value)}
                    noneLabel={managesAll ? 'Todos os setores' : 'Escolha um setor'}
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

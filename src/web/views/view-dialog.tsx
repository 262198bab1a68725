import { zodResolver } from '@hookform/resolvers/zod'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { viewForm, viewLimits } from '#shared/views/managed-views.ts'
import type { SavedView, ViewContent } from '#shared/views/views.ts'
import { ApiError, reasonOf } from '#web/platform/api/api.ts'
import { SectorSelect, useSectors } from '#web/sectors/sectors.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { DeleteDialog } from '#web/ui/overlays/delete-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FormFooter } from '#web/ui/overlays/form-footer.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { useChangeView, useCreateView, useDeleteView } from './mutations.ts'

const whose = [
  { value: 'own', label: 'Só eu' },
  { value: 'shared', label: 'Compartilhar com a equipe' },
] as const

/** Saves what the list shows as a view, or changes a view's name and who sees it, or deletes it. */
export function ViewDialog({
  view,
  content,
  summary,
  onSaved,
  onClose,
}: {
  /** undefined: a new one. */
  view: SavedView | undefined
  /** Of a new one: what it shows. */
  content: ViewContent
  /** The same in words. */
  summary: string
  /** With the id of a new one. */
  onSaved: (id: number) => void
  onClose: () => void
}) {
  const form = useId()
  const create = useCreateView()
  const change = useChangeView()
  const [isDeleting, setDeleting] = useState(false)
  const { living, areAny, find } = useSectors()
  const mayShare = useCan('shareViews')
  const mayShareWithAll = useCan('shareViewsWithAll')
  const led = new Set(useMe().sectors.flatMap(({ id, isLead }) => (isLead ? id : [])))
  const sectors = mayShareWithAll ? living : living.filter(({ id }) => led.has(id))
  const { register, control, handleSubmit, setError, setValue, watch, formState } = useForm({
    resolver: zodResolver(viewForm),
    defaultValues: {
      name: view?.name ?? '',
      isShared: view?.isShared ?? false,
      sectorId: view?.sectorId ?? null,
    },
  })
  const { errors } = formState
  const save = async (body: { name: string; isShared: boolean; sectorId: number | null }) => {
    if (view) {
      await change.mutateAsync({ id: view.id, version: view.version, ...body })
      return view.id
    }
    return (await create.mutateAsync({ ...body, content })).id
  }
  const submit = handleSubmit((body) =>
    save(body).then(
      (id) => {
        toast({ tone: 'success', title: view ? 'Visão mudada' : 'Visão salva' })
        onSaved(id)
        onClose()
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'views.duplicate')
          setError('name', { message: error.message }, { shouldFocus: true })
        else toast({ tone: 'error', title: `A visão não foi salva: ${reasonOf(error)}` })
      },
    ),
  )
  const share = (isShared: boolean) => {
    setValue('isShared', isShared, { shouldDirty: true })
    setValue('sectorId', isShared && !mayShareWithAll ? (sectors[0]?.id ?? null) : null)
  }
  if (view && isDeleting)
    return <Deletion view={view} onDeleted={onClose} onClose={() => setDeleting(false)} />
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={view ? 'Editar visão' : 'Salvar esta visão'}
      description={summary}
      footer={<FormFooter form={form} isBusy={formState.isSubmitting} onCancel={onClose} />}
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-3.5">
        <Field label="Nome" isRequired error={errors.name?.message}>
          {(field) => (
            <Input
              {...field}
              {...register('name')}
              maxLength={viewLimits.name}
              placeholder="Financeiro atrasado"
              autoComplete="off"
              dir="auto"
            />
          )}
        </Field>
        {mayShare && (
          <Segmented
            label="Quem vê"
            value={watch('isShared') ? 'shared' : 'own'}
            options={whose}
            onChange={(next) => share(next === 'shared')}
          />
        )}
        {watch('isShared') && areAny && (
          <Field label="Setor" hint="Cada pessoa vê nela só as conversas que pode ver.">
            {(field) => (
              <Controller
                control={control}
                name="sectorId"
                render={({ field: { value, onChange } }) => (
                  <SectorSelect
                    {...field}
                    sectors={sectors}
                    chosen={value === null ? undefined : find(value)}
                    noneLabel={mayShareWithAll ? 'Toda a equipe' : 'Escolha um setor'}
                    onChoose={onChange}
                  />
                )}
              />
            )}
          </Field>
        )}
        {view && (
          <Button
            variant="ghost"
            icon={Trash2}
            onClick={() => setDeleting(true)}
            className="justify-self-start"
          >
            Excluir visão
          </Button>
        )}
      </form>
    </Dialog>
  )
}

function Deletion({
  view: { id, name, isShared },
  onDeleted,
  onClose,
}: {
  view: SavedView
  onDeleted: () => void
  onClose: () => void
}) {
  const { mutate, isPending } = useDeleteView()
  const remove = () =>
    mutate(id, {
      onSuccess: () => {
        onDeleted()
        toast({ tone: 'success', title: 'Visão excluída' })
      },
      onError: (error) => toast({ tone: 'error', title: `A visão não foi excluída: ${reasonOf(error)}` }),
    })
  return (
    <DeleteDialog title="Excluir visão" isDeleting={isPending} onDelete={remove} onClose={onClose}>
      {name} deixa de existir{isShared ? ' para todos que a veem' : ''}. As conversas ficam como estão.
    </DeleteDialog>
  )
}

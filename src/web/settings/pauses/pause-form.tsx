import { zodResolver } from '@hookform/resolvers/zod'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { type PauseIcon as Icon, pauseIcons } from '#shared/users/users.ts'
import {
  pauseLimits,
  type PauseReason,
  type PauseReasonChange,
  type PauseReasonForm,
  pauseReasonForm,
} from '#shared/workday/pauses.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { PauseIcon } from '#web/ui/badges/pause-icon.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { ColorChoice } from '#web/settings/sectors/choices/color-choice.tsx'
import { useSaveReason } from './mutations.ts'

/** A new reason, or the given one, as it is now. */
export function PauseForm({ reason, onClose }: { reason: PauseReason | undefined; onClose: () => void }) {
  const save = useSaveReason(reason?.id)
  const { register, control, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(pauseReasonForm),
    defaultValues: valuesOf(reason),
  })
  const { errors, dirtyFields } = formState
  // That of the opening: a colleague may have changed it since.
  const [version] = useState(reason?.version)
  useEffect(() => setFocus('name'), [setFocus])
  const submit = handleSubmit((values) =>
    save.mutateAsync(reason ? { ...changedIn(values, dirtyFields), version } : values).then(
      () => {
        toast({ tone: 'success', title: reason ? 'Pausa atualizada' : 'Pausa criada' })
        onClose()
      },
      (error: unknown) => {
        const message = error instanceof ApiError && error.userMessage
        if (error instanceof ApiError && error.code === 'pauses.duplicate')
          return setError('name', { message: error.message }, { shouldFocus: true })
        toast({
          tone: 'error',
          title: reason ? 'Falha ao atualizar a pausa' : 'Falha ao criar a pausa',
          ...(message && { description: message }),
        })
      },
    ),
  )
  return (
    <Card
      title={reason ? 'Editar pausa' : 'Nova pausa'}
      actions={<IconButton label="Fechar" icon={X} size="sm" onClick={onClose} />}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="grid gap-3.5 p-4">
          <div className="grid grid-cols-[minmax(0,1fr)_104px] items-start gap-3">
            <Field label="Nome" isRequired error={errors.name?.message}>
              {(field) => (
                <Input {...field} {...register('name')} maxLength={pauseLimits.name} autoComplete="off" />
              )}
            </Field>
            <Field label="Limite (min)" error={errors.limitMinutes?.message}>
              {(field) => (
                <Input
                  {...field}
                  {...register('limitMinutes', { setValueAs: minutesIn })}
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={pauseLimits.minutes}
                  placeholder="sem"
                />
              )}
            </Field>
            <p className="col-span-2 -mt-2 text-xs text-ink-3">
              Perto do limite o tempo fica âmbar, depois vermelho. Ninguém é derrubado.
            </p>
          </div>
          <Controller
            control={control}
            name="icon"
            render={({ field: { value, onChange } }) => <Icons value={value} onChoose={onChange} />}
          />
          <div className="grid gap-1.5">
            <span className="text-sm font-medium">Cor</span>
            <Controller
              control={control}
              name="color"
              render={({ field: { value, onChange } }) => (
                <ColorChoice value={value} isDisabled={false} onChoose={onChange} />
              )}
            />
          </div>
          <Controller
            control={control}
            name="countsAsWork"
            render={({ field }) => (
              <span className="flex items-center gap-2 text-sm">
                <Switch id="pause-counts" checked={field.value} onCheckedChange={field.onChange} />
                <label htmlFor="pause-counts">Conta como trabalho</label>
              </span>
            )}
          />
        </div>
        <div className="flex justify-end gap-2 rounded-b-card border-t border-line bg-sunken px-4 py-3">
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" isBusy={save.isPending} busyLabel="Salvando...">
            Salvar
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The fields that the person has changed. */
const changedIn = (values: PauseReasonForm, isDirty: Partial<Record<keyof PauseReasonForm, boolean>>) =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => isDirty[name as keyof PauseReasonForm]),
  ) as PauseReasonChange

/** An empty field is no limit; what is no number is refused by the schema. */
const minutesIn = (typed: unknown) =>
  typed === '' || typed === null || typed === undefined ? null : Number(typed)

const iconNames: Readonly<Record<Icon, string>> = {
  meal: 'Talheres',
  restroom: 'Gotas',
  snack: 'Xícara',
  meeting: 'Pessoas',
  training: 'Formatura',
  call: 'Telefone',
  health: 'Coração',
  break: 'Pausa',
}

function Icons({ value, onChoose }: { value: Icon; onChoose: (icon: Icon) => void }) {
  return (
    <div className="grid gap-1.5">
      <span className="text-sm font-medium">Ícone</span>
      <div role="radiogroup" aria-label="Ícone" className="flex flex-wrap gap-1.5">
        {pauseIcons.map((icon) => (
          <button
            key={icon}
            type="button"
            role="radio"
            aria-checked={icon === value}
            aria-label={iconNames[icon]}
            onClick={() => onChoose(icon)}
            className={cn(
              'grid size-9 place-items-center rounded-control border max-md:size-11',
              icon === value ? 'border-accent bg-selected text-accent-text' : 'border-line hover:bg-hover',
            )}
          >
            <PauseIcon icon={icon} />
          </button>
        ))}
      </div>
    </div>
  )
}

const valuesOf = (reason: PauseReason | undefined): PauseReasonForm => ({
  name: reason?.name ?? '',
  icon: reason?.icon ?? 'break',
  color: reason?.color ?? '#64748b',
  limitMinutes: reason?.limitMinutes ?? null,
  countsAsWork: reason?.countsAsWork ?? false,
})

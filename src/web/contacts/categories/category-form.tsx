import { zodResolver } from '@hookform/resolvers/zod'
import { Check, X } from 'lucide-react'
import { type CSSProperties, useEffect } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { defaultCategoryColor } from '#shared/contacts/contact-categories.ts'
import {
  type Category,
  categoryForm,
  categoryLimits,
  categoryPalette,
} from '#shared/contacts/managed-categories.ts'
import { ApiError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { BadgeSamples } from './badge-samples.tsx'
import { useSaveCategory } from './queries.ts'

type Values = z.output<typeof categoryForm>

/** A new category, or the given one, as it is now. */
export function CategoryForm({ category, onClose }: { category: Category | undefined; onClose: () => void }) {
  const save = useSaveCategory(category?.id)
  const {
    register,
    control,
    handleSubmit,
    setError,
    setFocus,
    formState: { errors, dirtyFields },
  } = useForm({ resolver: zodResolver(categoryForm), defaultValues: valuesOf(category) })
  useEffect(() => setFocus('name'), [setFocus])
  const [name, color] = useWatch({ control, name: ['name', 'color'] })
  const isColor = categoryForm.shape.color.safeParse(color).success
  const submit = handleSubmit((values) => {
    const changed = Object.fromEntries(
      Object.entries(values).filter(([field]) => dirtyFields[field as keyof Values]),
    )
    return save.mutateAsync(category ? { ...changed, updatedAt: category.updatedAt } : values).then(
      () => {
        toast({
          tone: 'success',
          title: category ? 'Categoria atualizada com sucesso!' : 'Categoria criada com sucesso!',
        })
        onClose()
      },
      (error: unknown) => {
        const message = error instanceof ApiError && error.userMessage
        if (error instanceof ApiError && error.code === 'categories.duplicate')
          setError('name', { message: error.message }, { shouldFocus: true })
        toast({
          tone: 'error',
          title: category
            ? 'Falha ao atualizar categoria. Tente novamente.'
            : 'Falha ao criar categoria. Tente novamente.',
          ...(message && { description: message }),
        })
      },
    )
  })
  return (
    <Card
      title={category ? 'Editar categoria' : 'Nova categoria'}
      actions={<IconButton label="Fechar" icon={X} size="sm" onClick={onClose} />}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="grid gap-3.5 p-4">
          <div className="grid grid-cols-[minmax(0,1fr)_104px] items-start gap-3">
            <Field label="Nome" isRequired error={errors.name?.message}>
              {(field) => (
                <Input {...field} {...register('name')} maxLength={categoryLimits.name} autoComplete="off" />
              )}
            </Field>
            <Field label="Prioridade" error={errors.priority?.message}>
              {(field) => (
                <Input
                  {...field}
                  {...register('priority', { valueAsNumber: true })}
                  type="number"
                  min={1}
                  max={10}
                />
              )}
            </Field>
            <p className="col-span-2 -mt-2 text-xs text-ink-3">De 1 (maior) a 10 (menor prioridade)</p>
          </div>
          <Field label="Descrição" error={errors.description?.message}>
            {(field) => (
              <Input
                {...field}
                {...register('description')}
                maxLength={categoryLimits.description}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Cor" isRequired error={errors.color?.message}>
            {(field) => (
              <Controller
                control={control}
                name="color"
                render={({ field: { value, onChange, ...typed } }) => (
                  <div className="flex flex-wrap items-center gap-2">
                    <Palette value={value} onChoose={onChange} />
                    <Input
                      {...field}
                      {...typed}
                      value={value}
                      onChange={onChange}
                      maxLength={7}
                      placeholder={defaultCategoryColor}
                      autoComplete="off"
                      spellCheck={false}
                      className="w-26 flex-none tabular-nums"
                    />
                  </div>
                )}
              />
            )}
          </Field>
          {isColor && <BadgeSamples name={name.trim() || 'Categoria'} color={color} />}
          <Controller
            control={control}
            name="isActive"
            render={({ field }) => (
              <span className="flex items-center gap-2 text-sm">
                <Switch id="category-active" checked={field.value} onCheckedChange={field.onChange} />
                <label htmlFor="category-active">Categoria ativa</label>
                <span className="text-ink-3">uma inativa não é oferecida</span>
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

function Palette({ value, onChoose }: { value: string; onChoose: (color: string) => void }) {
  return (
    <div role="radiogroup" aria-label="Cores" className="flex flex-wrap gap-1.5">
      {categoryPalette.map((color) => {
        const isChosen = color === value.toLowerCase()
        return (
          <button
            key={color}
            type="button"
            role="radio"
            aria-checked={isChosen}
            aria-label={colorNames[color]}
            onClick={() => onChoose(color)}
            style={{ '--cat': color, color: 'white' } as CSSProperties}
            className={[
              'cat-dot grid size-6 place-items-center rounded-full',
              isChosen ? 'outline-2 outline-offset-2 outline-ink-3' : '',
            ].join(' ')}
          >
            {isChosen && <Check size={14} aria-hidden />}
          </button>
        )
      })}
    </div>
  )
}

const colorNames: Record<(typeof categoryPalette)[number], string> = {
  '#2563eb': 'Azul',
  '#0891b2': 'Ciano',
  '#16a34a': 'Verde',
  '#ca8a04': 'Amarelo',
  '#ea580c': 'Laranja',
  '#dc2626': 'Vermelho',
  '#db2777': 'Rosa',
  '#9333ea': 'Roxo',
}

const valuesOf = (category: Category | undefined): Values => ({
  name: category?.name ?? '',
  description: category?.description ?? '',
  priority: category?.priority ?? 1,
  color: category?.color ?? defaultCategoryColor,
  isActive: category?.isActive ?? true,
})

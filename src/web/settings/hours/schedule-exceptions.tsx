import { Plus, Trash2 } from 'lucide-react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { isWholeDay, type ScheduleException } from '#shared/settings/schedule.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { dayKey, serverNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { errorAt, TimeSetting } from '#web/settings/fields/controls.tsx'

/** Exceptions from the weekly hours: closed, or open all day or at other hours, with their own text. */
export function ScheduleExceptions() {
  const { control } = useFormContext<SystemSettings>()
  const { fields, append, remove } = useFieldArray({ control, name: 'scheduleExceptions' })
  return (
    <>
      {fields.length === 0 && <p className="text-sm text-ink-3">Nenhuma exceção cadastrada.</p>}
      {fields.length > 0 && (
        <ul className="grid w-full gap-2.5">
          {fields.map((field, index) => (
            <li key={field.id}>
              <Exception index={index} onRemove={() => remove(index)} />
            </li>
          ))}
        </ul>
      )}
      <Button icon={Plus} onClick={() => append({ date: today(), hours: null, message: '' })}>
        Adicionar exceção
      </Button>
    </>
  )
}

const today = () => dayKey(serverNow())

const kinds = [
  { value: 'fechado', label: 'Fechado', hours: null },
  { value: 'inteiro', label: '24 horas', hours: { start: '00:00', end: '00:00' } },
  { value: 'horario', label: 'Outro horário', hours: { start: '09:00', end: '12:00' } },
] as const
const kindOf = (hours: ScheduleException['hours']) =>
  hours === null ? 'fechado' : isWholeDay(hours) ? 'inteiro' : 'horario'

function Exception({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { register, watch, setValue, formState } = useFormContext<SystemSettings>()
  const name = `scheduleExceptions.${index}` as const
  const { date, hours } = watch(name)
  const kind = kindOf(hours)
  return (
    <div className="grid gap-3 rounded-card border border-line bg-surface p-3">
      <div className="flex flex-wrap items-start gap-3">
        <Field label="Data" error={errorAt(formState.errors, `${name}.date`)}>
          {(control) => (
            <Input
              {...control}
              {...register(`${name}.date`)}
              type="date"
              className="w-[130px] tabular-nums md:w-[150px]"
            />
          )}
        </Field>
        <Field label="Atendimento">
          {(control) => (
            <Select
              {...control}
              value={kind}
              onChange={(next) =>
                setValue(`${name}.hours`, kinds.find(({ value }) => value === next)?.hours ?? null, {
                  shouldValidate: true,
                })
              }
              options={kinds}
              className="w-[130px] md:w-[150px]"
            />
          )}
        </Field>
        {kind === 'horario' && (
          <>
            <TimeSetting name={`${name}.hours.start`} label="Das" />
            <TimeSetting name={`${name}.hours.end`} label="Até" />
          </>
        )}
        <IconButton
          icon={Trash2}
          label={`Remover exceção de ${date || 'data em branco'}`}
          tone="danger"
          onClick={onRemove}
          className="mt-7 ml-auto"
        />
      </div>
      <Field
        label="Mensagem (opcional)"
        hint="No lugar da resposta automática, nesse dia."
        error={errorAt(formState.errors, `${name}.message`)}
      >
        {(control) => (
          <textarea
            {...control}
            {...register(`${name}.message`)}
            rows={2}
            dir="auto"
            className={fieldLook('lines')}
          />
        )}
      </Field>
    </div>
  )
}

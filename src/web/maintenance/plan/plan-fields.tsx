import { useId } from 'react'
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form'
import type { MaintenancePlan } from '#shared/maintenance/maintenance-plan.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { TimeInput } from '#web/ui/fields/time-input.tsx'

const titleLook = 'text-sm font-semibold'

/** The backup of each day. */
export function BackupFields({ zoneName }: { zoneName: string }) {
  const { control, register, setValue, formState } = useFormContext<MaintenancePlan>()
  const id = useId()
  const { backupTime, backupsKept } = formState.errors
  return (
    <section
      aria-label="Backup diário"
      className="grid content-start gap-3.5 border-line px-4 py-4 max-lg:border-b lg:border-r"
    >
      <h3 className={titleLook}>Backup diário</h3>
      <Controller
        control={control}
        name="isBackupScheduled"
        render={({ field: { value, onChange, ...field } }) => (
          <div className="flex items-center gap-2 text-sm font-medium">
            <Switch {...field} id={id} checked={value} onCheckedChange={onChange} />
            <label htmlFor={id}>Criar um backup por dia</label>
          </div>
        )}
      />
      <div className="flex flex-wrap items-start gap-4">
        <Field
          label="Horário"
          hint={`Fuso de ${zoneName}`}
          error={backupTime && 'Digite uma hora, como 23:00'}
        >
          {(field) => (
            <TimeInput
              {...field}
              {...register('backupTime')}
              onWhole={(time) => setValue('backupTime', time, { shouldValidate: true, shouldDirty: true })}
            />
          )}
        </Field>
        <Field
          label="Guardar os últimos"
          hint="Os mais antigos da agenda são apagados."
          error={backupsKept && 'Digite um número de 1 a 365'}
          className="min-w-34 flex-1"
        >
          {(field) => (
            <Input
              {...field}
              {...register('backupsKept', { valueAsNumber: true })}
              type="number"
              inputMode="numeric"
              min={1}
              max={365}
              step={1}
              className="w-[136px]"
              trailing={<span className="text-xs text-ink-3">backups</span>}
            />
          )}
        </Field>
      </div>
    </section>
  )
}

interface Period {
  name: FieldPathByValue<MaintenancePlan, number | null>
  title: string
  hint: string
  least: number
  /** What is proposed when another period than the usual one is chosen. */
  usual: number
  /** How long it is kept unless a period is chosen; absent: for ever. */
  otherwise?: string
}

const periods: readonly Period[] = [
  {
    name: 'mediaDays',
    title: 'Mídias',
    hint: 'Arquivos de conversas finalizadas, desde a finalização.',
    least: 1,
    usual: 365,
  },
  {
    name: 'textDays',
    title: 'Textos',
    hint: 'De conversas finalizadas. Contagens e horários ficam.',
    least: 1,
    usual: 730,
  },
  {
    name: 'inboxDays',
    title: 'Webhooks recebidos',
    hint: 'O conteúdo dos que já foram processados.',
    least: 7,
    usual: 30,
    otherwise: 'Guardar por 30 dias',
  },
  {
    name: 'auditDays',
    title: 'Auditoria',
    hint: 'Registros de quem fez o quê.',
    least: 180,
    usual: 365,
  },
]

/** How long things are kept that are deleted afterwards, each night. */
export function PeriodFields() {
  return (
    <section aria-label="Prazos" className="min-w-0 px-4 pt-4 pb-2">
      <h3 className={titleLook}>Prazos</h3>
      <p className="text-xs text-ink-2">Passado o prazo, é apagado à noite. Não há volta sem um backup.</p>
      <div className="mt-1 grid">
        {periods.map((period) => (
          <PeriodField key={period.name} period={period} />
        ))}
      </div>
    </section>
  )
}

const most = 3650

function PeriodField({
  period: { name, title, hint, least, usual, otherwise = 'Guardar para sempre' },
}: {
  period: Period
}) {
  const { control, register, watch, setValue, formState, getFieldState } = useFormContext<MaintenancePlan>()
  const id = useId()
  const isUnchosen = watch(name) === null
  const { invalid } = getFieldState(name, formState)
  const error = invalid ? `Digite um número de ${least} a ${most.toLocaleString('pt-BR')}` : undefined
  const toggle = (isOn: boolean) => {
    const stored = control._defaultValues[name]
    setValue(name, isOn ? null : (stored ?? usual), { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div
      role="group"
      aria-label={title}
      className={[
        'grid items-center gap-x-4 gap-y-2 border-t border-line py-2.5 text-sm first:border-t-0',
        'md:min-h-14 md:grid-cols-[minmax(0,1fr)_auto_148px]',
      ].join(' ')}
    >
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="text-xs text-ink-3">{hint}</p>
      </div>
      <div className="flex items-center gap-2">
        <Switch id={id} checked={isUnchosen} onCheckedChange={toggle} />
        <label htmlFor={id}>{otherwise}</label>
      </div>
      {isUnchosen ? (
        <span aria-hidden className="text-ink-3 max-md:hidden">
          –
        </span>
      ) : (
        <Field label={<span className="sr-only">Guardar por</span>} error={error} className="gap-0.5">
          {(field) => (
            <Input
              {...field}
              {...register(name, { valueAsNumber: true })}
              type="number"
              inputMode="numeric"
              min={least}
              max={most}
              step={1}
              fieldSize="bar"
              className="max-md:w-[148px]"
              trailing={<span className="text-xs text-ink-3">dias</span>}
            />
          )}
        </Field>
      )}
    </div>
  )
}

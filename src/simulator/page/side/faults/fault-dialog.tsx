import { useState } from 'react'
import type { FaultName, Faults } from '#simulator/control-api.ts'
import { useSetFault } from '#simulator/page/data/mutations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { webhookEvents, type FaultField, type FaultInfo } from './fault-info.ts'

type Values = Record<string, unknown>
type Change = (key: string, value: unknown) => void

const maxOneIn = 1_000_000

function problemIn(field: FaultField, value: unknown): string | undefined {
  if (field.kind === 'oneIn' && !(Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxOneIn))
    return 'Um número inteiro a partir de 1'
  if (field.kind === 'ms' && !(Number.isInteger(value) && Number(value) >= 0))
    return 'Um número a partir de 0'
  return undefined
}

/** The settings of a fault. Saving does not switch it on or off. */
export function FaultDialog({
  info,
  fault,
  onClose,
}: {
  info: FaultInfo
  fault: Faults[FaultName]
  onClose: () => void
}) {
  const { mutate, isPending } = useSetFault()
  const [{ on: _on, ...values }, setValues] = useState<Values>({ ...fault })
  const change: Change = (key, value) => setValues((before) => ({ ...before, [key]: value }))
  const isWrong = info.fields.some((field) => problemIn(field, values[field.key]) !== undefined)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={info.title}
      description={info.about}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            isBusy={isPending}
            busyLabel="Salvando..."
            disabled={isWrong}
            onClick={() => mutate({ name: info.name, values }, { onSuccess: onClose })}
          >
            Salvar
          </Button>
        </>
      }
    >
      {info.fields.map((field) => (
        <FieldOf key={field.key} field={field} value={values[field.key]} onChange={change} />
      ))}
    </Dialog>
  )
}

function FieldOf({ field, value, onChange }: { field: FaultField; value: unknown; onChange: Change }) {
  const change = (next: unknown) => onChange(field.key, next)
  if (field.kind === 'events') return <EventsField value={value as string[]} onChange={change} />
  if (field.kind === 'flag')
    return (
      <label className="flex items-center justify-between gap-3 text-sm font-medium">
        {field.label}
        <Switch aria-label={field.label} checked={value === true} onCheckedChange={change} />
      </label>
    )
  if (field.kind === 'choice')
    return (
      <Field label={field.label}>
        {(control) => <Select {...control} value={String(value)} onChange={change} options={field.options} />}
      </Field>
    )
  const isMs = field.kind === 'ms'
  return (
    <Field
      label={isMs ? field.label : 'Uma vez em'}
      {...(!isMs && { hint: 'Em média, por sorteio. 1: sempre.' })}
      error={problemIn(field, value)}
    >
      {(control) => (
        <NumberInput {...control} scale={isMs ? 1000 : 1} value={Number(value)} onChange={change} />
      )}
    </Field>
  )
}

/** Keeps the text being typed, so that '1,' may become '1,5'. */
function NumberInput({
  value,
  scale,
  onChange,
  ...control
}: {
  value: number
  scale: number
  onChange: (value: number) => void
  id: string
}) {
  const [text, setText] = useState(String(value / scale).replace('.', ','))
  return (
    <Input
      {...control}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        const number = target.value.trim() === '' ? Number.NaN : Number(target.value.replace(',', '.'))
        onChange(scale === 1 ? number : Math.round(number * scale))
      }}
    />
  )
}

function EventsField({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">
        Só nestes avisos <span className="font-normal text-ink-3">(nenhum marcado: em todos)</span>
      </legend>
      {[...new Set([...webhookEvents, ...value])].map((event) => (
        <label key={event} className="flex min-h-6 items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={value.includes(event)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, event] : value.filter((other) => other !== event))
            }
          />
          {event}
        </label>
      ))}
    </fieldset>
  )
}

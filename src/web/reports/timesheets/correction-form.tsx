import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { WorkPeriod } from '#shared/workday/timesheets.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { pauseQuery } from '#web/users/users.tsx'
import { useCorrect } from './queries.ts'

/** What a period was instead, and why: a row of its own. */
export function CorrectionForm({ period, onClose }: { period: WorkPeriod; onClose: () => void }) {
  const { data: reasons = [] } = useQuery(pauseQuery)
  const { mutate, isPending } = useCorrect(period.id)
  const [state, setState] = useState<string>()
  const [why, setWhy] = useState('')
  const [isTried, setTried] = useState(false)
  const errors = {
    state: state === undefined ? 'Escolha o estado' : undefined,
    why: why.trim() === '' ? 'Diga por quê' : undefined,
  }
  const submit = () => {
    setTried(true)
    if (state === undefined || errors.why) return
    mutate(
      state === 'available' || state === 'away'
        ? { state, why }
        : { state: 'paused', reasonId: Number(state), why },
      { onSuccess: onClose },
    )
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[role=combobox]')?.focus(), [])
  return (
    <form
      ref={form}
      noValidate
      className="grid max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Novo estado" error={isTried ? errors.state : undefined}>
        {(control) => (
          <Select
            {...control}
            value={state}
            onChange={setState}
            placeholder="Escolha"
            options={[
              { value: 'available', label: 'Disponível' },
              ...reasons.map(({ id, name }) => ({ value: String(id), label: name })),
              { value: 'away', label: 'Ausente' },
            ]}
          />
        )}
      </Field>
      <Field label="Por quê" error={isTried ? errors.why : undefined}>
        {(control) => (
          <Input
            {...control}
            value={why}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setWhy(event.target.value)}
          />
        )}
      </Field>
      <p className="-mt-1 text-xs text-ink-2">
        Fica na auditoria com o seu nome; o registro original continua visível, riscado.
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancelar</Button>
        <Button type="submit" variant="primary" isBusy={isPending} busyLabel="Corrigindo...">
          Corrigir
        </Button>
      </div>
    </form>
  )
}

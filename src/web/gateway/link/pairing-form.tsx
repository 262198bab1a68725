import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'

/** Asks for the phone's number, for which WhatsApp gives a code to be typed instead of scanned. */
export function PairingForm({ isBusy, onSubmit }: { isBusy: boolean; onSubmit: (number: string) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const [number, setNumber] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const digits = number.replace(/\D/g, '')
    if (digits.length < 10) return setError('Digite o número com DDD, como (11) 95555-4444.')
    setError(undefined)
    onSubmit(number)
  }
  if (!isOpen)
    return (
      <p className="text-ink-2">
        Sem câmera?{' '}
        <button
          type="button"
          className="font-medium text-accent-text underline underline-offset-3"
          onClick={() => setIsOpen(true)}
        >
          Usar código de pareamento
        </button>
      </p>
    )
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex w-full max-w-[420px] flex-wrap items-end gap-2 text-left"
    >
      <Field label="Número do celular" error={error} className="min-w-0 flex-1 basis-44">
        {(field) => (
          <Input
            {...field}
            type="tel"
            autoComplete="off"
            placeholder="(11) 95555-4444"
            value={number}
            onChange={(event) => setNumber(event.target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        size="tall"
        isBusy={isBusy}
        busyLabel="Gerando..."
        className={error ? 'mb-[22px]' : ''}
      >
        Gerar código
      </Button>
    </form>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { confirmIdentity } from '#shared/users/profile.ts'
import { call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { useMe } from '#web/users/me-context.ts'

/** 'Confirme sua senha': before what is sensitive, unless it was given within ten minutes. */
export function ConfirmDialog({ onClose, onConfirmed }: { onClose: () => void; onConfirmed: () => void }) {
  const { hasSecondFactor } = useMe()
  const [isCode, setIsCode] = useState(false)
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: (typed: string) =>
      call(confirmIdentity, { body: isCode ? { code: typed } : { password: typed } }),
    onSuccess: onConfirmed,
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The dialog may stand above another form.
    event.stopPropagation()
    const typed = new FormData(event.currentTarget).get('secret')
    if (!isPending && typeof typed === 'string' && typed !== '') mutate(typed)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isCode ? 'Confirme com um código' : 'Confirme sua senha'}
      description="Esta ação é sensível. A confirmação vale por dez minutos."
      className="max-w-[400px]"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            type="submit"
            form="confirm"
            variant="primary"
            isBusy={isPending}
            busyLabel="Confirmando..."
          >
            Confirmar
          </Button>
        </>
      }
    >
      <form id="confirm" noValidate className="grid gap-3" onSubmit={submit} onChange={reset}>
        {isCode ? (
          <Field key="code" label="Código do aplicativo" error={error?.message}>
            {(field) => (
              <Input
                {...field}
                name="secret"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={10}
              />
            )}
          </Field>
        ) : (
          <Field key="password" label="Sua senha" error={error?.message}>
            {(field) => <PasswordInput {...field} name="secret" autoComplete="current-password" />}
          </Field>
        )}
        {hasSecondFactor && (
          <Button
            variant="ghost"
            className="justify-self-start"
            onClick={() => {
              reset()
              setIsCode(!isCode)
            }}
          >
            {isCode ? 'Usar a senha' : 'Usar um código do aplicativo'}
          </Button>
        )}
      </form>
    </Dialog>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { beginSecondFactor, confirmSecondFactor } from '#shared/users/profile.ts'
import { call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { QrCode } from '#web/ui/badges/qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The steps from the QR code to the recovery codes. */
export function SecondFactorSetup({ username, onDone }: { username: string; onDone: () => void }) {
  const begin = useMutation({ mutationFn: () => call(beginSecondFactor) })
  const { mutate } = begin
  useEffect(() => mutate(), [mutate])
  const confirm = useMutation({
    mutationFn: (body: { code: string; trustDevice: boolean }) => call(confirmSecondFactor, { body }),
  })
  const [isSecretShown, setIsSecretShown] = useState(false)
  if (confirm.data)
    return <RecoveryCodes codes={confirm.data.recoveryCodes} username={username} onDone={onDone} />
  if (begin.isError)
    return (
      <ErrorState
        description={begin.error.message}
        isRetrying={begin.isPending}
        onRetry={() => begin.mutate()}
      />
    )
  if (!begin.data) return <Spinner size={20} label="Carregando" className="text-ink-3" />
  const { secret, address } = begin.data
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const typed = new FormData(event.currentTarget)
    const code = typed.get('code')
    if (typeof code !== 'string' || code.trim() === '' || confirm.isPending) return
    confirm.mutate({ code, trustDevice: typed.get('trustDevice') !== null })
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <ol className="grid list-decimal gap-1 pl-5 text-sm text-ink-2">
        <li>Instale um aplicativo de códigos no celular, como Aegis, Google Authenticator ou 1Password.</li>
        <li>Aponte a câmera do aplicativo para o quadrado.</li>
        <li>Digite o código que aparecer.</li>
      </ol>
      <div className="flex flex-wrap items-start gap-4">
        <div className="grid justify-items-center gap-1.5">
          <QrCode text={address} label="Código QR para o aplicativo" />
          <Button variant="link" size="sm" onClick={() => setIsSecretShown(!isSecretShown)}>
            Não consigo ler o código
          </Button>
        </div>
        <div className="grid min-w-44 flex-1 gap-3">
          {isSecretShown && (
            <p className="text-sm text-ink-2">
              Digite esta chave no aplicativo:{' '}
              <code className="font-mono break-all text-ink">{secret.match(/.{1,4}/g)?.join(' ')}</code>
            </p>
          )}
          <Field label="Código" hint="Muda a cada 30 segundos e vale uma vez" error={confirm.error?.message}>
            {(field) => (
              <Input
                {...field}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={10}
                onChange={() => confirm.isError && confirm.reset()}
              />
            )}
          </Field>
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" name="trustDevice" className="size-4 accent-accent" />
            Confiar neste aparelho por 30 dias
          </label>
          <Button
            type="submit"
            variant="primary"
            size="tall"
            className="justify-self-start"
            isBusy={confirm.isPending}
            busyLabel="Confirmando..."
          >
            Confirmar
          </Button>
        </div>
      </div>
    </form>
  )
}

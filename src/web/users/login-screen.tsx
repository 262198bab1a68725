import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { errorTexts } from '#shared/text.ts'
import { login, loginForm, type LoginForm } from '#shared/users.ts'
import { call, NetworkError } from '#web/platform/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { loginErrorText } from './login-errors.ts'

export type LoginReply = z.output<NonNullable<typeof login.reply>>

/** @param onEntered busy until its promise is kept */
export function LoginScreen({
  username = '',
  onEntered,
}: {
  /** Who was signed in before. */
  username?: string
  onEntered: (reply: LoginReply) => Promise<void>
}) {
  const [error, setError] = useState<{ text: string; isAboutFields: boolean }>()
  const form = useForm<LoginForm>({
    resolver: zodResolver(loginForm),
    defaultValues: { username, password: '' },
    reValidateMode: 'onSubmit',
    shouldFocusError: true,
  })
  const clear = { onChange: () => setError(undefined) }
  const isBusy = form.formState.isSubmitting

  const submit = form.handleSubmit(
    async (values) => {
      setError(undefined)
      try {
        await onEntered(await call(login, { body: values }))
      } catch (failure) {
        setError({ text: loginErrorText(failure), isAboutFields: !(failure instanceof NetworkError) })
      }
    },
    () => setError({ text: errorTexts['auth.blank'], isAboutFields: true }),
  )
  const bad = error?.isAboutFields ? true : undefined
  const described = error ? 'login-error' : undefined

  return (
    <main className="login-ground relative isolate grid min-h-full justify-items-center bg-canvas">
      <div className="row-start-2 w-full max-w-[400px] px-5 md:w-[360px] md:px-0">
        <div className="mb-5 grid justify-items-start gap-[3px]">
          <Mark className="mb-3 size-10" />
          <h1 className="text-2xl font-semibold tracking-figure">Balcão</h1>
          <p className="text-ink-2">Sistema de Atendimento - Faça login para continuar</p>
        </div>
        <form noValidate onSubmit={submit} className="grid gap-4 rounded-card bg-surface p-6 shadow-float">
          <Field label="Usuário">
            {(control) => (
              <Input
                {...control}
                {...form.register('username', clear)}
                fieldSize="login"
                placeholder="Digite seu usuário"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                readOnly={isBusy}
                autoFocus={username === ''}
                aria-invalid={bad}
                aria-describedby={described}
              />
            )}
          </Field>
          <Field label="Senha">
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register('password', clear)}
                fieldSize="login"
                placeholder="Digite sua senha"
                autoComplete="current-password"
                required
                readOnly={isBusy}
                autoFocus={username !== ''}
                aria-invalid={bad}
                aria-describedby={described}
              />
            )}
          </Field>
          {error && (
            <p
              id="login-error"
              role="alert"
              className="-my-1 flex items-start gap-[5px] text-sm text-red-text"
            >
              <CircleAlert size={14} aria-hidden className="mt-0.5" />
              {error.text}
            </p>
          )}
          <Button
            type="submit"
            variant="primary"
            size="login"
            isBlock
            isBusy={isBusy}
            busyLabel="Entrando..."
          >
            Entrar
          </Button>
        </form>
      </div>
    </main>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { errorTexts } from '#shared/text.ts'
import { login, loginForm, type LoginForm as Values } from '#shared/users.ts'
import { call, NetworkError } from '#web/platform/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { loginErrorText } from './login-errors.ts'
import type { LoginReply } from './login-screen.tsx'

export function LoginForm({
  username,
  onEntered,
}: {
  username: string
  onEntered: (reply: LoginReply) => Promise<void>
}) {
  const { form, error, submit, clearError } = useLogin(username, onEntered)
  const isBusy = form.formState.isSubmitting
  const both = {
    fieldSize: 'login' as const,
    required: true,
    readOnly: isBusy,
    'aria-invalid': error?.isAboutFields || undefined,
    'aria-describedby': error ? 'login-error' : undefined,
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 rounded-card bg-surface p-6 shadow-float">
      <Field label="Usuário">
        {({ id }) => (
          <Input
            id={id}
            {...form.register('username', { onChange: clearError })}
            {...both}
            placeholder="Digite seu usuário"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Senha">
        {({ id }) => (
          <PasswordInput
            id={id}
            {...form.register('password', { onChange: clearError })}
            {...both}
            placeholder="Digite sua senha"
            autoComplete="current-password"
          />
        )}
      </Field>
      {error && (
        <p id="login-error" role="alert" className="-my-1 flex items-start gap-[5px] text-sm text-red-text">
          <CircleAlert size={14} aria-hidden className="mt-0.5" />
          {error.text}
        </p>
      )}
      <Button type="submit" variant="primary" size="login" isBlock isBusy={isBusy} busyLabel="Entrando...">
        Entrar
      </Button>
    </form>
  )
}

function useLogin(username: string, onEntered: (reply: LoginReply) => Promise<void>) {
  const [error, setError] = useState<{ text: string; isAboutFields: boolean }>()
  const form = useForm<Values>({
    resolver: zodResolver(loginForm),
    defaultValues: { username, password: '' },
    reValidateMode: 'onSubmit',
  })
  const { setFocus } = form
  useEffect(() => setFocus(username === '' ? 'username' : 'password'), [setFocus, username])

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
  return { form, error, submit, clearError: () => setError(undefined) }
}

import { CircleAlert } from 'lucide-react'
import { createElement, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { loginTexts } from '#shared/text/text.ts'
import { login, loginForm } from '#shared/users/users.ts'
import { ApiError, call, NetworkError } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { loginErrorText } from './login-errors.ts'

export type LoginReply = z.output<NonNullable<typeof login.reply>>

/**
 * Two uncontrolled fields: the libraries of the other forms would be loaded by everybody who opens the page.
 */
export function LoginForm({
  username,
  onEntered,
}: {
  username: string
  onEntered: (reply: LoginReply) => Promise<void>
}) {
  const { error, isBusy, submit, clearError, needsCode, giveCode, back } = useLogin(onEntered)
  const form = useRef<HTMLFormElement>(null)
  const first = needsCode ? 'code' : username === '' ? 'username' : 'password'
  useEffect(() => focusOn(form.current, first), [first])
  const both = {
    fieldSize: 'login' as const,
    required: true,
    readOnly: isBusy,
    onChange: clearError,
    'aria-invalid': error?.isAboutFields || undefined,
    'aria-describedby': error ? 'login-error' : undefined,
  }
  const enterAs = (name: string, password: string) => {
    fill(form.current, { username: name, password })
    form.current?.requestSubmit()
  }
  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        className="grid gap-4 rounded-card bg-surface p-6 shadow-float"
      >
        {needsCode && <CodeFields isBusy={isBusy} hasError={error !== undefined} onChange={clearError} />}
        <Field label="Usuário" className={cn(needsCode && 'hidden')}>
          {({ id }) => (
            <Input
              id={id}
              name="username"
              defaultValue={username}
              {...both}
              placeholder="Digite seu usuário"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Senha" className={cn(needsCode && 'hidden')}>
          {({ id }) => (
            <PasswordInput
              id={id}
              name="password"
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
        {error?.isBlocked && !needsCode && (
          <Button variant="ghost" isBlock onClick={giveCode}>
            Entrar com um código de verificação
          </Button>
        )}
        {needsCode && (
          <Button variant="ghost" isBlock onClick={back}>
            Voltar
          </Button>
        )}
      </form>
      {!needsCode && <DemoOffer onChoose={enterAs} />}
    </>
  )
}

const useDemoPeople = partInPlace(async () => (await import('./demo-people.tsx')).DemoPeople)
const isDemo = document.querySelector('meta[name="balcao-demo-sign-in"]') !== null

/** The people of a demo; nobody else loads them. */
function DemoOffer({ onChoose }: { onChoose: (username: string, password: string) => void }) {
  const people = useDemoPeople(isDemo)
  return people ? createElement(people, { onChoose }) : null
}

/** The second step of an account with a second factor. */
function CodeFields({
  isBusy,
  hasError,
  onChange,
}: {
  isBusy: boolean
  hasError: boolean
  onChange: () => void
}) {
  return (
    <>
      <Field label="Código de verificação" hint="Do seu aplicativo, ou um código de recuperação">
        {({ id, 'aria-describedby': hint }) => (
          <Input
            id={id}
            name="code"
            fieldSize="login"
            required
            readOnly={isBusy}
            onChange={onChange}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            aria-invalid={hasError || undefined}
            aria-describedby={hasError ? 'login-error' : hint}
          />
        )}
      </Field>
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" name="trustDevice" className="size-4 accent-accent" />
        Confiar neste aparelho por 30 dias
      </label>
    </>
  )
}

function useLogin(onEntered: (reply: LoginReply) => Promise<void>) {
  const [error, setError] = useState<{ text: string; isAboutFields: boolean; isBlocked?: boolean }>()
  const [isBusy, setIsBusy] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const { trustDevice, ...fields } = Object.fromEntries(new FormData(form))
    const typed = loginForm.safeParse({ ...fields, trustDevice: trustDevice !== undefined })
    if (!typed.success) {
      focusOn(form, typed.error.issues[0]?.path[0])
      return setError({ text: loginTexts['auth.blank'], isAboutFields: true })
    }
    setError(undefined)
    setIsBusy(true)
    try {
      await onEntered(await call(login, { body: typed.data }))
    } catch (failure) {
      if (isCodeMissing(failure)) return setNeedsCode(true)
      if (needsCode && !isAboutCode(failure)) setNeedsCode(false)
      setError({
        text: loginErrorText(failure),
        isAboutFields: !(failure instanceof NetworkError),
        isBlocked: failure instanceof ApiError && failure.code === 'auth.blocked',
      })
    } finally {
      setIsBusy(false)
    }
  }
  const clearError = () => setError(undefined)
  // Password and code together pass a lock that somebody else's guesses have caused.
  const giveCode = () => {
    clearError()
    setNeedsCode(true)
  }
  const back = () => {
    clearError()
    setNeedsCode(false)
  }
  return { error, isBusy, submit, clearError, needsCode, giveCode, back }
}

const isCodeMissing = (failure: unknown) =>
  failure instanceof ApiError && failure.code === 'auth.code_required'
/** Or about no field at all. */
const isAboutCode = (failure: unknown) =>
  failure instanceof NetworkError || (failure instanceof ApiError && failure.code === 'auth.wrong_code')

function fill(form: HTMLFormElement | null, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form?.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = value
  }
}

function focusOn(form: HTMLFormElement | null, name: PropertyKey | undefined): void {
  const field = form?.elements.namedItem(String(name))
  if (field instanceof HTMLInputElement) field.focus()
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { roleLabels } from '#shared/text/text.ts'
import {
  acceptInvitation,
  type InvitationOffer,
  joinForm,
  openInvitation,
} from '#shared/users/invitations.ts'
import { login } from '#shared/users/users.ts'
import { ApiError, call, reasonOf } from '#web/platform/api/api.ts'
import { storeToken } from '#web/platform/api/token.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { EntryFrame } from '#web/users/login/entry-frame.tsx'

/** The page that the link of an invitation leads to, for people who have no account. */
export function JoinScreen() {
  const [token] = useState(() => location.hash.slice(1))
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(openInvitation, { body: { token }, signal }),
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  })
  if (offer.data) return <JoinForm token={token} offer={offer.data} />
  if (offer.isPending)
    return (
      <EntryFrame title="Convite" text="Balcão, o atendimento por WhatsApp">
        <div className="grid justify-items-center py-6 text-ink-2">
          <Spinner size={20} label="Abrindo o convite..." />
        </div>
      </EntryFrame>
    )
  // What is refused stays so; without an answer it may be tried again.
  const isRefused = offer.error instanceof ApiError && offer.error.status < 500
  return (
    <EntryFrame title="Convite" text="Balcão, o atendimento por WhatsApp">
      <div className="grid justify-items-start gap-4">
        <p role="alert">{reasonOf(offer.error)}</p>
        {isRefused ? (
          <Button asChild>
            <a href="/">Ir para a entrada</a>
          </Button>
        ) : (
          <Button isBusy={offer.isFetching} busyLabel="Tentando..." onClick={() => void offer.refetch()}>
            Tentar novamente
          </Button>
        )}
      </div>
    </EntryFrame>
  )
}

const form = z.extend(joinForm, { again: z.string() }).check(
  z.refine(({ password, again }) => password === again, {
    path: ['again'],
    error: 'As senhas não são iguais',
  }),
)
type Values = z.infer<typeof form>

function JoinForm({ token, offer }: { token: string; offer: InvitationOffer }) {
  const [failure, setFailure] = useState<Error>()
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    resolver: zodResolver(form),
    defaultValues: { name: offer.name, username: '', email: '', password: '', again: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ again: _again, ...account }) => {
    setFailure(undefined)
    try {
      await call(acceptInvitation, { body: { token, ...account } })
    } catch (error) {
      const field = fieldOf(error)
      if (field) return setError(field, { message: (error as Error).message }, { shouldFocus: true })
      return setFailure(error as Error)
    }
    await enter(account)
  })
  return (
    <EntryFrame
      title="Crie sua conta"
      text={`${offer.invitedBy} convidou você para o Balcão, como ${roleLabels[offer.role].toLowerCase()}.`}
      below={
        <p className="mt-4 text-sm text-ink-2">O convite vale até {dateTime(offer.expiresAt)}, uma vez só.</p>
      }
    >
      <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Nome"
          isRequired
          error={errors.name?.message}
          hint="Como a equipe e os clientes veem você."
        >
          {(field) => <Input {...field} {...register('name')} autoComplete="name" />}
        </Field>
        <Field label="Email" isRequired error={errors.email?.message}>
          {(field) => <Input {...field} {...register('email')} type="email" autoComplete="email" />}
        </Field>
        <Field label="Username" isRequired error={errors.username?.message} hint="Com ele você entra.">
          {(field) => (
            <Input
              {...field}
              {...register('username')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Senha" isRequired error={errors.password?.message} hint="Pelo menos 6 caracteres.">
          {(field) => <PasswordInput {...field} {...register('password')} autoComplete="new-password" />}
        </Field>
        <Field label="Repita a senha" isRequired error={errors.again?.message}>
          {(field) => <PasswordInput {...field} {...register('again')} autoComplete="new-password" />}
        </Field>
        {failure && (
          <p role="alert" className="text-sm text-red-text">
            {reasonOf(failure)}
          </p>
        )}
        <Button
          type="submit"
          variant="primary"
          size="login"
          isBlock
          isBusy={isSubmitting}
          busyLabel="Criando..."
        >
          Criar conta e entrar
        </Button>
      </form>
    </EntryFrame>
  )
}

/** Signs in with the new account. What fails can be done by hand at the entry, where this leads anyway. */
async function enter({ username, password }: { username: string; password: string }): Promise<void> {
  try {
    const { token } = await call(login, { body: { username, password } })
    storeToken(token)
  } catch (error) {
    console.warn('The new account could not be signed in', error)
    storeToken(null)
  }
  // The link is used: the way back does not lead to it.
  location.replace('/')
}

/** The field that the server's refusal is about. */
function fieldOf(error: unknown): keyof Values | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'users.username_taken') return 'username'
  if (error.code === 'users.email_taken') return 'email'
  return error.code === 'users.common_password' ? 'password' : undefined
}
